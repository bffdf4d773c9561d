import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { type SafeProposal } from '../../core/schemas/safe-proposal';
import { accountOf } from '../model/passkey-account';
import { keepSent } from '../model/passkey-sent';
import { contacts } from '../model/contacts';
import { previewedProposal } from '../model/explain-proposal';
import { nodeOf } from '../model/node';
import { type Passkey } from '../model/passkeys';
import { type SafeState } from '../model/safe';
import { type HandedOver, sendProposal, signAsPasskey } from '../model/sign-proposal';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';
import { Acceptance, assertAccepted, Explained } from './explained';
import { LookupStatus } from './lookup-status';
import { Panel } from './panel';

type Props = {
  readonly passkey: Passkey;
  readonly safe: SafeState;
  readonly proposal: SafeProposal;
  /** The number of calls. */
  readonly calls: number;
  readonly onBack: () => void;
  readonly onSent: (sent: HandedOver) => void;
};

/** Shows what the passkey is about to sign, signs and sends it. */
export function PasskeyReview({ passkey, safe, proposal, calls, onBack, onSent }: Props): VNode {
  const { chain } = passkey;
  const action = useAction('Look for the browser’s dialog.');
  const [isAccepted, setAccepted] = useState(false);
  const { value: explanation, error } = useLookup(
    () =>
      previewedProposal(
        proposal,
        {
          threshold: safe.threshold,
          wasPrepared: true,
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
    const signed = await signAsPasskey(proposal, passkey, nodeOf(chain));
    const sent = await sendProposal(proposal, [signed], safe, chain);
    keepSent({ ...sent, account: passkey.safe, chainId: chain.chainId, at: Date.now(), calls });
    onSent(sent);
  };
  return (
    <Panel id="review" title="Review">
      <Explained explanation={explanation} />
      <Acceptance explanation={explanation} isAccepted={isAccepted} onChange={setAccepted} />
      <div class="actions">
        <ActionButton action={action} class="main" work={approve}>
          Approve with the passkey
        </ActionButton>
        <button type="button" onClick={onBack}>
          Back
        </button>
      </div>
      <ActionStatus action={action} />
    </Panel>
  );
}
