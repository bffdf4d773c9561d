import { Box, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { AddressRow, OriginRow, Warning } from '../parts';

/** Before a private key is handed out. */
export const ExportAccountScreen = ({ address, origin }: { address: Hex; origin: string }): JSXElement => (
  <Box>
    <Heading>Hand out a private key</Heading>
    <OriginRow origin={origin} />
    <AddressRow label="Account" address={address} />
    <Warning
      title="Whoever has the key has the account"
      text="The private key is given to the site or app named above. It can then move everything this account holds, at any time, without asking you."
    />
    <Text>Approve only if you asked for this yourself.</Text>
  </Box>
);
