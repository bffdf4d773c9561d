import { Divider, Heading, type JSXElement, Text } from '@metamask/snaps-sdk/jsx';

import { type Explanation } from '../../../core/decode/explanation';
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
  /** Why the person is asked although MetaMask has asked, as the rest of a sentence. */
  readonly because?: string | undefined;
};

/** Asks before signing: what happens, who asks, with which account and at what fee; then everything that is signed. */
export const ConfirmSignatureScreen = ({
  explanation,
  account,
  origin,
  originMetadata,
  because,
}: Props): JSXElement => {
  const details = Details(explanation);
  return (
    <Screen>
      <Heading>{explanation.title}</Heading>
      {Cautions(explanation)}
      {Outcome(explanation)}
      <Divider />
      <OriginRow origin={origin} />
      {because === undefined ? null : <TextRow label="Asked again because" text={because} />}
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
