import { Box, Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Explanation } from '../../../core/decode/explanation';
import { Cautions, Details, NetworkRows, Outcome } from '../explanation';

/** Explains a request on the wallet's own confirmation, which already shows the site and the account. */
export const InsightScreen = ({ explanation }: { readonly explanation: Explanation }): JSXElement => (
  <Box>
    <Heading>{explanation.title}</Heading>
    {Cautions(explanation)}
    {Outcome(explanation)}
    {NetworkRows(explanation)}
    {Details(explanation)}
  </Box>
);
