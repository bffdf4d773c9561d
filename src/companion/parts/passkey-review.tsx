import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { withSignature } from '../../core/schemas/owner-signatures';
import { type SafeProposal } from '../../core/schemas/safe-proposal';
import { accountOf } from '../model/passkey-account';
import { keepSent } from '../model/passkey-sent';
import { contacts } from '../model/contacts';
import { previewedProposal } from '../model/explain-proposal';
import { nodeOf } from '../model/node';
import { type Passkey } from '../model/passkeys';
import { type SafeState } from '../model/safe';
import { checkSignatures, type HandedOver, sendProposal, signAsPasskey } from '../model/sign-proposal';
import { counted } from '../model/units';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { ActionButton, BackButton } from './action-button';
import { ActionStatus } from './action-status';
import { Acceptance, assertAccepted, Explained } from './explained';
import { LookupStatus } from './lookup-status';
import { Panel } from './panel';
import { ShareProposal } from './share-proposal';

type Props = {
  readonly passkey: Passkey;
  readonly safe: SafeState;
  readonly proposal: SafeProposal;
  /** This page prepared it, and no other owner. */
  readonly wasPrepared: boolean;
  /** The number of calls. */
  readonly calls: number;
  readonly onBack: () => void;
  readonly onSent: (sent: HandedOver) => void;
};

/** Shows what the passkey is about to sign, and signs it. It is sent once enough owners have signed, else handed on. */
export function PasskeyReview({ passkey, safe, proposal, wasPrepared, calls, onBack, onSent }: Props): VNode {
  const { chain } = passkey;
  const { threshold } = safe;
  const [signed, setSigned] = useState<SafeProposal>();
  const action = useAction('Look for the browser’s dialog.');
  const [isAccepted, setAccepted] = useState(false);
  const { value: explanation, error } = useLookup(
    () =>
      previewedProposal(
        proposal,
        {
          threshold,
          wasPrepared,
          accounts: [accountOf(passkey)],
          chains: [chain],
          contacts: contacts.read(),
          now: BigInt(Math.floor(Date.now() / 1000)),
        },
        chain,
      ),
    [proposal],
  );
  if (explanation === undefined) return <LookupStatus error={error} />;
  const approve = async (): Promise<undefined> => {
    assertAccepted(explanation, isAccepted);
    const node = nodeOf(chain);
    const whole = withSignature(proposal, await signAsPasskey(proposal, passkey, node));
    const { valid } = await checkSignatures(whole, safe, node);
    if (valid.length < threshold) {
      setSigned({ ...whole, signatures: valid });
      return undefined;
    }
    const sent = await sendProposal(proposal, valid, safe, chain);
    keepSent({ ...sent, account: passkey.safe, chainId: chain.chainId, at: Date.now(), calls });
    onSent(sent);
  };
  if (signed !== undefined)
    return (
      <>
        <p class="status" role="status">
          You have signed. This account takes {threshold} signatures:{' '}
          {counted(threshold - signed.signatures.length, 'signature')} missing.
        </p>
        <ShareProposal proposal={signed} />
        <div class="actions">
          <BackButton onBack={onBack} />
        </div>
      </>
    );
  return (
    <Panel id="review" title="Review">
      <Explained explanation={explanation} />
      <Acceptance explanation={explanation} isAccepted={isAccepted} onChange={setAccepted} />
      <div class="actions">
        <ActionButton action={action} class="main" work={approve}>
          Approve with the passkey
        </ActionButton>
        <BackButton onBack={onBack} />
      </div>
      <ActionStatus action={action} />
    </Panel>
  );
}
