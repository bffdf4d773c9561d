import { Heading, type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Explanation } from '../../../core/decode/explanation';
import { Cautions, Details, NetworkRows, Outcome } from '../explanation';
import { Screen } from '../parts';

/** The wallet shows a message itself, so its text is repeated only where something about it is wrong. */
const withoutRepetition = ({ body, ...rest }: Explanation): Explanation =>
  body === undefined || (body.isMessage === true && rest.warnings.length + rest.dangers.length === 0)
    ? rest
    : { ...rest, body };

/** Explains a request on the wallet's own confirmation, which already shows the site and the account. */
export const InsightScreen = ({ explanation }: { readonly explanation: Explanation }): JSXElement => (
  <Screen>
    <Heading>{explanation.title}</Heading>
    {Cautions(explanation)}
    {Outcome(withoutRepetition(explanation))}
    {NetworkRows(explanation)}
    {Details(explanation)}
  </Screen>
);
