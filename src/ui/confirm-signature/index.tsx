import { Box, Copyable, Divider, Heading, type JSXElement, Row, Text } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../eth/bytes';
import { shortened, visible } from '../../explain/text';
import { type Explanation } from '../../explain/types';
import { AddressRow, OriginRow, Warning } from '../parts';

/** A screen carries no more; the explanation says how long the whole is. */
const MAX_BODY = 20_000;

type Props = { readonly explanation: Explanation; readonly address: Hex; readonly origin: string };

/** What is about to be signed, by which account, for whom. */
export const ConfirmSignatureScreen = ({ explanation, address, origin }: Props): JSXElement => (
  <Box>
    <Heading>{visible(explanation.title)}</Heading>
    {explanation.warnings.map((warning) => (
      <Warning title="Look twice" text={visible(warning)} />
    ))}
    <OriginRow origin={origin} />
    <AddressRow label="Signed by" address={address} />
    <Divider />
    {explanation.lines.map((line) =>
      line.kind === 'address' ? (
        <AddressRow label={visible(line.label)} address={line.value} />
      ) : (
        <Row label={visible(line.label)}>
          <Text>{line.value}</Text>
        </Row>
      ),
    )}
    {explanation.body === undefined ? null : (
      <Box>
        <Text>{explanation.body.label}</Text>
        <Copyable value={shortened(explanation.body.text, MAX_BODY)} />
      </Box>
    )}
  </Box>
);
