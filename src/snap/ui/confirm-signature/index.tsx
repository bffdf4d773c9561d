import { type OriginMetadata } from '@metamask/snaps-sdk';
import { Box, Divider, Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../../core/eth/bytes';
import { type Explanation } from '../../../core/decode/types';
import { Cautions, Details } from '../explanation';
import { AddressRow, ClaimedOrigin, OriginRow } from '../parts';

type Props = {
  readonly explanation: Explanation;
  readonly address: Hex;
  readonly origin: string;
  /** What the dapp says of itself, where the wallet cannot verify who asks. */
  readonly originMetadata?: OriginMetadata | null | undefined;
};

/** What is about to be signed, by which account, for whom. */
export const ConfirmSignatureScreen = ({ explanation, address, origin, originMetadata }: Props): JSXElement => (
  <Box>
    <Heading>{explanation.title}</Heading>
    {Cautions(explanation)}
    <OriginRow origin={origin} />
    {originMetadata ? ClaimedOrigin(originMetadata) : null}
    <AddressRow label="Signed by" address={address} />
    <Divider />
    {Details(explanation)}
  </Box>
);
