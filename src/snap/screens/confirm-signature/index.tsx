import { Box, CollapsibleSection, Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Explanation } from '../../../core/decode/explanation';
import { withoutSaid } from '../../../core/decode/open-lines';
import { type Hex } from '../../../core/eth/bytes';
import { type OriginMetadata } from '../../../core/schemas/origin-metadata';
import { Cautions, Details, NetworkRows, Outcome } from '../explanation';
import { accountRows, ClaimedOrigin, DangerBanner, OriginRow, Screen, TextRow } from '../parts';

type Props = {
  readonly explanation: Explanation;
  /** The account that signs, by its one name. */
  readonly account: { readonly name: string; readonly address: Hex };
  readonly origin: string;
  /** The app's self-reported name, where the wallet cannot verify who asks. */
  readonly originMetadata?: OriginMetadata | null | undefined;
  /** Why the person is asked although MetaMask has asked: {@link DANGER}, or the rest of a sentence. */
  readonly because?: string | undefined;
  /** The hashes of the lines that MetaMask's confirmation has shown; undefined if it is not known to have shown any. */
  readonly said?: readonly Hex[] | undefined;
};

/** MetaMask has asked, and Keystead asks again because of a danger. */
export const DANGER = 'danger';

const AGAIN = 'Asked again because';

/**
 * Asks before signing: what happens, who asks, with which account and at what fee; then everything that is signed. A
 * second question says why it is asked. If MetaMask's confirmation has shown the rest, that is folded.
 */
export const ConfirmSignatureScreen = ({
  explanation,
  account,
  origin,
  originMetadata,
  because,
  said,
}: Props): JSXElement => {
  const isDanger = because === DANGER;
  const { dangers, ...shown } = said === undefined ? explanation : withoutSaid(explanation, said);
  const [name, address] = accountRows(account);
  const details = Details(explanation);
  return (
    <Screen>
      <Heading>{shown.title}</Heading>
      {because === undefined || isDanger ? null : <TextRow label={AGAIN} text={because} />}
      {isDanger ? dangers.map(({ text }) => <DangerBanner title={`${AGAIN} of this danger`} text={text} />) : null}
      {Cautions({ ...shown, dangers: isDanger ? [] : dangers })}
      {Outcome({ ...shown, dangers })}
      <Divider />
      <OriginRow origin={origin} />
      {originMetadata ? ClaimedOrigin(originMetadata) : null}
      {name}
      {said === undefined ? address : null}
      {NetworkRows({ ...shown, dangers })}
      {said === undefined && details === null ? null : <Divider />}
      {said === undefined ? null : (
        <CollapsibleSection label="The whole request">
          <Box>
            {Cautions(explanation)}
            {Outcome(explanation)}
            {address}
            {NetworkRows(explanation)}
          </Box>
        </CollapsibleSection>
      )}
      {details}
    </Screen>
  );
};

/** Asks a second time before signing what cannot succeed. */
export const ConfirmFailureScreen = ({ title, failure }: { title: string; failure: string }): JSXElement => (
  <Screen>
    <Heading>Sign even though it will fail?</Heading>
    <DangerBanner text={failure} />
    <TextRow label="Request" text={title} />
    <Text>
      If you approve, Keystead signs it anyway. If it is included and fails, you lose the network fee. If you reject,
      nothing is signed.
    </Text>
  </Screen>
);
