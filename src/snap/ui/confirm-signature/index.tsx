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
  /** The app's self-reported name, where the wallet cannot verify who asks. */
  readonly originMetadata?: OriginMetadata | null | undefined;
};

/** Asks before signing. Shows what is signed, with which account, and which site asks. */
export const ConfirmSignatureScreen = ({ explanation, address, origin, originMetadata }: Props): JSXElement => (
  <Box>
    <Heading>{explanation.title}</Heading>
    {Cautions(explanation)}
    <OriginRow origin={origin} />
    {originMetadata ? ClaimedOrigin(originMetadata) : null}
    <AddressRow label="Signing account" address={address} />
    <Divider />
    {Details(explanation)}
  </Box>
);
