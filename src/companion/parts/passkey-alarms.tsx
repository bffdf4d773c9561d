import { type VNode } from 'preact';

import { type Call } from '../../core/erc4337/user-operation';
import { cancelRecovery } from '../../core/safe/recovery/calls';
import { type Situation } from '../../core/safe/recovery/situation';
import { networkOfChain } from '../model/network';
import { type Passkey } from '../model/passkeys';
import { modulesOf, situationOn } from '../model/recovery';
import { type Devnet } from '../model/types';
import { useAction } from '../model/use-action';
import { useLastLookup } from '../model/use-lookup';
import { useNames } from '../model/use-names';
import { ActionButton } from './action-button';
import { ActionStatus } from './action-status';
import { RecoveryBegun } from './recovery-begun';

type Props = {
  readonly passkey: Passkey;
  readonly devnet: Devnet | undefined;
  /** Changes when the network is to be asked again. */
  readonly round: number;
  /** Prepares a call for review; absent if the passkey cannot send alone. */
  readonly onCall: ((call: Call) => Promise<undefined>) | undefined;
};

/** The recoveries that have begun, each with the way to cancel it. */
function Begun({
  passkey,
  situation,
  onCall,
}: Pick<Props, 'passkey' | 'onCall'> & { readonly situation: Situation }): VNode {
  const called = useNames();
  const action = useAction('Asking the network…');
  return (
    <>
      {situation.recoveries.map(({ module: { address: module }, state: { pending } }) =>
        pending === undefined ? null : (
          <RecoveryBegun
            key={module}
            name={passkey.name}
            network={networkOfChain(passkey.chain).name}
            nameOf={called}
            control="this passkey"
            module={module}
            newOwners={pending.newOwners}
            executeAfter={pending.executeAfter}
          >
            {onCall === undefined ? null : (
              <div class="actions">
                <ActionButton action={action} class="main" work={() => onCall(cancelRecovery(module))}>
                  Cancel recovery
                </ActionButton>
              </div>
            )}
            <ActionStatus action={action} />
          </RecoveryBegun>
        ),
      )}
    </>
  );
}

/** What guardians are doing with a passkey's account; it stays while the network is asked again. */
export function PasskeyAlarms({ passkey, devnet, round, onCall }: Props): VNode {
  const { safe, chain } = passkey;
  const { value, error } = useLastLookup(
    () => situationOn(safe, chain, modulesOf(devnet)),
    [safe, chain.chainId, chain.rpcUrl, round],
  );
  return (
    <>
      {error === undefined ? null : (
        <p class="status error">Keystead could not check whether a recovery of this account has begun. {error}</p>
      )}
      {value === undefined ? null : <Begun passkey={passkey} situation={value} onCall={onCall} />}
    </>
  );
}
