import { Box, Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, OriginRow, Warning } from '../parts';

/** Before an imported key is deleted at the request of a page. */
export const DeleteAccountScreen = ({ address, origin }: { address: Hex; origin: string }): JSXElement => (
  <Box>
    <Heading>Delete an imported account</Heading>
    <OriginRow origin={origin} />
    <AddressRow label="Account" address={address} />
    <Warning
      title="This cannot be undone"
      text="The private key of this account was imported. Your recovery phrase does not bring it back: without a copy of the key, what the account holds is lost."
    />
  </Box>
);
