import { Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Explanation } from '../../../core/decode/explanation';
import { Cautions, Details, NetworkRows, Outcome } from '../explanation';
import { Screen } from '../parts';

/** Explains a request on the wallet's own confirmation, which already shows the site and the account. */
export const InsightScreen = ({ explanation }: { readonly explanation: Explanation }): JSXElement => (
  <Screen>
    <Heading>{explanation.title}</Heading>
    {Cautions(explanation)}
    {Outcome(explanation)}
    {NetworkRows(explanation)}
    {Details(explanation)}
  </Screen>
);
