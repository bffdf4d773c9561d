import { type VNode } from 'preact';

import { type Call } from '../../core/erc4337/user-operation';
import { cancelRecovery } from '../../core/recovery/calls';
import { type Situation } from '../../core/recovery/situation';
import { contacts } from '../model/contacts';
import { networkOfChain } from '../model/network';
import { type Passkey, passkeys } from '../model/passkeys';
import { nameOf } from '../model/recipient-name';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { RecoveryBegun } from './recovery-begun';

type Props = {
  readonly passkey: Passkey;
  readonly situation: Situation;
  /** Prepares a call for review; absent if the passkey cannot send alone. */
  readonly onCall: ((call: Call) => Promise<undefined>) | undefined;
};

/** The recoveries of a passkey's account that have begun, each with the way to cancel it. */
export function PasskeyAlarms({ passkey, situation, onCall }: Props): VNode {
  const known = { accounts: [], contacts: contacts.use(), passkeys: passkeys.use() };
  const action = useAction('Asking the network…');
  return (
    <>
      {situation.recoveries.map(({ module: { address: module }, state: { pending } }) =>
        pending === undefined ? null : (
          <RecoveryBegun
            key={module}
            name={passkey.name}
            network={networkOfChain(passkey.chain).name}
            nameOf={(address) => nameOf(address, known)}
            control="this passkey"
            module={module}
            newOwners={pending.newOwners}
            executeAfter={pending.executeAfter}
          >
            {onCall === undefined ? null : (
              <div class="actions">
                <button
                  type="button"
                  class="main"
                  aria-disabled={action.isBusy}
                  onClick={() => {
                    action.run(() => onCall(cancelRecovery(module)));
                  }}
                >
                  Cancel recovery
                </button>
              </div>
            )}
            <ActionStatus action={action} />
          </RecoveryBegun>
        ),
      )}
    </>
  );
}
