import { Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Explanation } from '../../../core/decode/explanation';
import { withoutAdvice } from '../../../core/decode/effects/verdict';
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
};

/** MetaMask has asked, and Keystead asks again because of a danger. */
export const DANGER = 'danger';

const AGAIN = 'Asked again because';

/**
 * A second question says why it is asked. MetaMask has shown Keystead's advice with the first one; everything that is
 * signed is said again, and so are the warnings, some of which only the whole transaction shows.
 */
const reasonAlone = (explanation: Explanation): Explanation => ({
  ...explanation,
  dangers: explanation.dangers.map(({ code, text: reason }) => ({ code, text: withoutAdvice({ code, text: reason }) })),
});

/** Asks before signing: what happens, who asks, with which account and at what fee; then everything that is signed. */
export const ConfirmSignatureScreen = ({
  explanation,
  account,
  origin,
  originMetadata,
  because,
}: Props): JSXElement => {
  const isDanger = because === DANGER;
  const shown = isDanger ? reasonAlone(explanation) : explanation;
  const details = Details(shown);
  return (
    <Screen>
      <Heading>{shown.title}</Heading>
      {because === undefined || isDanger ? null : <TextRow label={AGAIN} text={because} />}
      {isDanger
        ? shown.dangers.map(({ text: reason }) => <DangerBanner title={`${AGAIN} of this danger`} text={reason} />)
        : null}
      {Cautions(isDanger ? { ...shown, dangers: [] } : shown)}
      {Outcome(shown)}
      <Divider />
      <OriginRow origin={origin} />
      {originMetadata ? ClaimedOrigin(originMetadata) : null}
      {accountRows(account)}
      {NetworkRows(explanation)}
      {details === null ? null : <Divider />}
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
