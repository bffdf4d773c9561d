import { type VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Address, getAddress } from 'viem';

import { type OwnerChange, ownersAfter } from '../../core/safe/owners/changes';
import { isOwner, type SafeOwners } from '../../core/safe/owners/owners';
import { isSameAddress } from '../../core/eth/address';
import { adviceFor, changeLine } from '../model/owner-change';
import { useSession } from '../model/session';
import { counted } from '../model/units';
import { useNames } from '../model/use-names';
import { BackButton } from './action-button';
import { Facts } from './facts';
import { Warning } from './icons';
import { Party } from './party';

type Props = {
  readonly safe: Address;
  readonly current: SafeOwners;
  readonly change: OwnerChange;
  readonly network: string;
  readonly onBack: () => void;
  readonly onSend: () => void;
};

/** Shows the owners as they will be, before the wallet is asked. */
export function OwnerChangeReview({ safe, current, change, network, onBack, onSend }: Props): VNode {
  const { accounts } = useSession();
  const called = useNames();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const after = ownersAfter(safe, current, change);
  const own = accounts.find((account) => isSameAddress(account.address, safe))?.options.owner;
  const isOwn = typeof own === 'string' && isOwner(own, current);
  const advice = adviceFor(after, isOwn ? own : undefined);
  return (
    <section class="panel" aria-labelledby="review">
      <h2 id="review" tabIndex={-1} ref={title}>
        Review
      </h2>
      <p>
        <strong>{changeLine(change, current, called)}</strong>
      </p>
      <Facts
        facts={[
          [
            'Owners afterwards',
            <ul class="plain">
              {after.owners.map((owner) => (
                <li key={owner}>
                  <Party address={getAddress(owner)} name={called(owner)} />
                </li>
              ))}
            </ul>,
          ],
          ['Required signatures', `${after.threshold} of ${after.owners.length}`],
          ['Network', `${network} only: each network has its own list of owners`],
        ]}
      />
      {advice === undefined ? null : <Warning role="status">{advice}</Warning>}
      <div class="actions">
        <button type="button" class="main" onClick={onSend}>
          {isOwn && current.threshold === 1 ? 'Change the owners' : 'Propose the change'}
        </button>
        <BackButton onBack={onBack} />
      </div>
      <p class="hint">
        {!isOwn
          ? `${counted(current.threshold, 'owner')} must sign before it is sent.`
          : current.threshold === 1
            ? 'Keystead explains it once more, and asks you before it signs.'
            : `Keystead signs with this account’s own key. ${current.threshold - 1} more must sign before it is sent.`}
      </p>
    </section>
  );
}
