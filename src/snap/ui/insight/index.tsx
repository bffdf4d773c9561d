import { Box, Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Explanation } from '../../../core/decode/types';
import { Cautions, Details } from '../explanation';

/** What the wallet is about to sign, shown on its own confirmation: who asks and who signs stands there already. */
export const InsightScreen = ({ explanation }: { readonly explanation: Explanation }): JSXElement => (
  <Box>
    <Heading>{explanation.title}</Heading>
    {Cautions(explanation)}
    {Details(explanation)}
  </Box>
);
