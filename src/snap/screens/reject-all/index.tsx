import { Box, Checkbox, Divider, type GenericSnapElement, type JSXElement } from '@metamask/snaps-sdk/jsx';

/** The name of the checkbox. */
export const REJECT_ALL = 'reject-all';

/** A dialog of a site that asks again and again, with a way to be left alone. */
export const RejectAllScreen = ({ content }: { readonly content: JSXElement }): JSXElement => (
  <Box>
    {content as GenericSnapElement}
    <Box>
      <Divider />
      <Checkbox name={REJECT_ALL} label="Reject this, and all requests from this site for a minute" />
    </Box>
  </Box>
);
