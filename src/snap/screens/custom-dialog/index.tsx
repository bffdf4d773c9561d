import { Box, Button, Container, Footer, type GenericSnapElement, type JSXElement } from '@metamask/snaps-sdk/jsx';

/** The name of the button that approves. */
export const APPROVE = 'approve';

/** A confirmation in a dialog without a type, which has no buttons of its own: MetaMask adds one that cancels. */
export const CustomConfirmationScreen = ({ content }: { readonly content: JSXElement }): JSXElement => (
  <Container>
    <Box>{content as GenericSnapElement}</Box>
    <Footer>
      <Button name={APPROVE}>Approve</Button>
    </Footer>
  </Container>
);
