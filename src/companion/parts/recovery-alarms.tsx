import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { isSameAddress } from '../../core/eth/address';
import { utcTime } from '../../core/decode/words/time';
import { networkOfChain } from '../model/network';
import { cancelRecovery, readRecoveries, type RecoveryNotice, type WatchedModule } from '../model/recovery';
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
  const name = account === undefined ? alarm.account : account.name;
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

/** How an account has ended up, or that nobody knows. */
function Notice({ notice: { account: address, chainId, notice } }: { readonly notice: RecoveryNotice }): VNode {
  const { accounts, chains } = useSession();
  const account = accounts.find((one) => isSameAddress(one.address, address));
  const chain = chains.find((one) => one.chainId === chainId);
  const where = `${account === undefined ? address : account.name} on ${chain === undefined ? chainId : networkOfChain(chain).name}`;
  switch (notice) {
    case 'unseen':
      return (
        <p class="status">
          Keystead could not see whether a recovery of {where} has begun: the network did not answer. It looks again
          every ten minutes.
        </p>
      );
    case 'lost':
      return (
        <p class="warning danger">
          <Icon name="warning" />
          <strong>
            {where} no longer obeys your key: it has other owners now. If they are not yours, send nothing to it.
          </strong>
        </p>
      );
    default:
      return <p class="status">A recovery has ended without effect. Your key is still an owner of {where}.</p>;
  }
}

/** How often an open page looks again, in milliseconds. */
const AGAIN = 600_000;

/** What there is to say of recoveries, before anything else on the page; nothing if none has begun or ended. */
export function RecoveryAlarms(): VNode | null {
  const { client, accounts, chains } = useSession();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      setRound((before) => before + 1);
    }, AGAIN);
    return () => {
      clearInterval(timer);
    };
  }, []);
  // The accounts are read anew after each change of the page.
  const { value, error } = useLookup(
    () => (chains.length === 0 ? Promise.resolve([]) : readRecoveries(client)),
    [accounts, chains.length, round],
  );
  // An alarm stays while the networks are asked again, and if they do not answer.
  const [shown, setShown] = useState(value ?? []);
  useEffect(() => {
    if (value !== undefined) setShown(value);
  }, [value]);
  if (error === undefined && shown.length === 0) return null;
  return (
    <>
      {error === undefined ? null : (
        <p class="status error">Keystead could not look whether a recovery of your accounts has begun. {error}</p>
      )}
      {shown.map((entry) => {
        const key = [entry.chainId, entry.account, 'module' in entry ? entry.module : entry.notice].join(' ');
        if ('notice' in entry) return <Notice key={key} notice={entry} />;
        return entry.pending === undefined ? null : <Alarm key={key} alarm={entry} />;
      })}
    </>
  );
}
