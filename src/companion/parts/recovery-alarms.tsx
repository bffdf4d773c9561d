import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Hex } from 'viem';

import { isSameAddress } from '../../core/eth/address';
import { networkOfChain } from '../model/network';
import { nodeOf } from '../model/node';
import { type WatchedModule } from '../../core/methods/results';
import { cancelRecovery, readRecoveries } from '../model/recovery';
import { linkTo } from '../model/route';
import { readSafeOwners } from '../model/safe';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { useLastLookup } from '../model/use-lookup';
import { useNames } from '../model/use-names';
import { useRounds } from '../model/use-rounds';
import { useSentOperation } from '../model/use-sent-operation';
import { ActionLine } from './action-button';
import { Warning } from './icons';
import { RecoveryBegun } from './recovery-begun';
import { RecoveryNotices } from './recovery-notices';

/** Follows a cancellation until the network has included it. */
function Cancelling({
  chain,
  hash,
  onEnded,
}: {
  readonly chain: Chain;
  readonly hash: Hex;
  readonly onEnded: () => void;
}): VNode {
  const { at } = useSentOperation(chain, hash);
  useEffect(() => {
    if (at !== 'waiting') onEnded();
  }, [at]);
  return (
    <p class={`status ${at === 'failed' ? 'error' : ''}`} role="status">
      {at === 'failed'
        ? 'The cancellation was included but reverted, so nothing was done.'
        : at === 'confirmed'
          ? 'The network has included the cancellation.'
          : `Sent. The recovery is cancelled once ${networkOfChain(chain).name} has included it.`}
    </p>
  );
}

/** How far a cancellation is that the person has approved. */
type Cancelled = { readonly hash: Hex; readonly needsOthers: boolean };

type AlarmProps = {
  readonly alarm: WatchedModule;
  /** Looks at the networks again. */
  readonly onLook: () => void;
};

/** One recovery that has begun, with the way to cancel it. */
function Alarm({ alarm, onLook }: AlarmProps): VNode {
  const { client, accounts, chains } = useSession();
  const [cancelled, setCancelled] = useState<Cancelled>();
  const { pending, chainId, module } = alarm;
  const account = accounts.find(({ address }) => isSameAddress(address, alarm.account));
  const chain = chains.find((one) => one.chainId === chainId);
  const name = account === undefined ? alarm.account : account.name;
  const called = useNames();
  const network = chain === undefined ? chainId : networkOfChain(chain).name;
  const cancel = async (): Promise<undefined> => {
    setCancelled(undefined);
    const hash = await cancelRecovery(alarm, client);
    const safe = chain && (await readSafeOwners(nodeOf(chain), alarm.account).catch(() => undefined));
    setCancelled({ hash, needsOthers: (safe?.threshold ?? 1) > 1 });
  };
  return (
    <RecoveryBegun
      name={name}
      network={network}
      nameOf={called}
      control="your key"
      module={module}
      newOwners={pending?.newOwners ?? []}
      more={pending?.more ?? 0}
      executeAfter={BigInt(pending?.executeAfter ?? '0x0')}
    >
      <ActionLine busyText="Look for Keystead’s dialog, and approve or reject there." class="main" work={cancel}>
        Cancel recovery
      </ActionLine>
      {cancelled?.needsOthers === true ? (
        <Warning>
          You have signed, but other owners have to sign too before the recovery is cancelled.{' '}
          <a href={linkTo('proposals')}>Collect their signatures</a>
        </Warning>
      ) : null}
      {cancelled?.needsOthers === false && chain !== undefined ? (
        <Cancelling chain={chain} hash={cancelled.hash} onEnded={onLook} />
      ) : null}
    </RecoveryBegun>
  );
}

/** What there is to say of recoveries, before anything else on the page; nothing if none has begun or ended. */
export function RecoveryAlarms(): VNode | null {
  const { client, accounts, chains } = useSession();
  const [round, look] = useRounds();
  // The accounts are read anew after each change of the page.
  const { value: shown = [], error } = useLastLookup(
    () => (chains.length === 0 ? Promise.resolve([]) : readRecoveries(client)),
    [accounts, chains.length, round],
  );
  if (error === undefined && shown.length === 0) return null;
  return (
    <>
      {error === undefined ? null : (
        <p class="status error">Keystead could not check whether a recovery of your accounts has begun. {error}</p>
      )}
      {shown.map((entry) =>
        'pending' in entry && entry.pending !== undefined ? (
          <Alarm key={[entry.chainId, entry.account, entry.module].join(' ')} alarm={entry} onLook={look} />
        ) : null,
      )}
      <RecoveryNotices notices={shown.flatMap((entry) => ('notice' in entry ? [entry] : []))} />
    </>
  );
}
