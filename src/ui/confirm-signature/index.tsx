import { Box, Divider, Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../eth/bytes';
import { type Explanation } from '../../explain/types';
import { Cautions, Details } from '../explanation';
import { AddressRow, OriginRow } from '../parts';

type Props = { readonly explanation: Explanation; readonly address: Hex; readonly origin: string };

/** What is about to be signed, by which account, for whom. */
export const ConfirmSignatureScreen = ({ explanation, address, origin }: Props): JSXElement => (
  <Box>
    <Heading>{explanation.title}</Heading>
    {Cautions(explanation)}
    <OriginRow origin={origin} />
    <AddressRow label="Signed by" address={address} />
    <Divider />
    {Details(explanation)}
  </Box>
);
