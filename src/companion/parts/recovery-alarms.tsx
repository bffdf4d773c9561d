import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { isSameAddress } from '../../core/eth/address';
import { utcTime } from '../../core/decode/words/time';
import { accountName, isSafe } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { cancelRecovery, readAlarms, type WatchedModule } from '../model/recovery';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { useLookup } from '../model/use-lookup';
import { ActionStatus } from './action-status';
import { addressFacts, Facts } from './facts';
import { Icon } from './icons';

/** One recovery that has begun, with the way to cancel it. */
function Alarm({ alarm }: { readonly alarm: WatchedModule }): VNode {
  const { client, accounts, chains } = useSession();
  const action = useAction('Look for Keystead’s dialog, and approve or reject there.');
  const { pending, chainId, module } = alarm;
  const account = accounts.find(({ address }) => isSameAddress(address, alarm.account));
  const chain = chains.find((one) => one.chainId === chainId);
  const name = account === undefined ? alarm.account : accountName(account);
  return (
    <section class="panel" aria-label={`A recovery of ${name} has begun`}>
      <p class="warning">
        <Icon name="warning" />
        <strong>A recovery of {name} has begun</strong>
      </p>
      <div class="actions">
        <button
          type="button"
          class="main"
          aria-disabled={action.isBusy}
          onClick={() => {
            action.run(async () => {
              await cancelRecovery(alarm, client);
              return 'Sent. The recovery is cancelled once the network has included it.';
            });
          }}
        >
          Cancel recovery
        </button>
      </div>
      <ActionStatus action={action} />
      <p>
        Its guardians are giving it to the owners below. From {utcTime(BigInt(pending?.executeAfter ?? '0x0'))} on,
        anyone can finish that, and the account no longer obeys your key. If you did not ask for it, cancel it now.
      </p>
      <Facts
        facts={[
          ['Network', chain === undefined ? chainId : networkOfChain(chain).name],
          ...addressFacts('New owner', pending?.newOwners ?? []),
          ['More new owners', (pending?.more ?? 0) === 0 ? undefined : String(pending?.more)],
          ['Module', <span class="address">{module}</span>],
        ]}
      />
    </section>
  );
}

/** How often an open page looks again, in milliseconds. */
const AGAIN = 600_000;

/** The recoveries that have begun, before anything else on the page; nothing if there are none. */
export function RecoveryAlarms(): VNode | null {
  const { client, accounts, chains } = useSession();
  const safes = accounts.filter(isSafe).map(({ id }) => id);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      setRound((before) => before + 1);
    }, AGAIN);
    return () => {
      clearInterval(timer);
    };
  }, []);
  const { value = [], error } = useLookup(
    () => (safes.length === 0 || chains.length === 0 ? Promise.resolve([]) : readAlarms(client)),
    [safes.join(), chains.length, round],
  );
  if (error !== undefined)
    return <p class="status error">Keystead could not look whether a recovery of your accounts has begun. {error}</p>;
  if (value.length === 0) return null;
  return (
    <>
      {value.map((alarm) => (
        <Alarm key={`${alarm.chainId} ${alarm.account} ${alarm.module}`} alarm={alarm} />
      ))}
    </>
  );
}
