import { type VNode } from 'preact';

import { isSameAddress } from '../../core/eth/address';
import { isSafe } from '../model/account-name';
import { addRecovered } from '../model/recover';
import { type Proposal } from '../model/recovery-proposal';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';

/** After a recovery: adds the account with its old address, signed for by a key of this wallet’s phrase. */
export function AddRecovered({ proposal }: { readonly proposal: Proposal }): VNode {
  const { client, accounts, refresh } = useSession();
  const action = useAction();
  const { chainId, safe, newOwners } = proposal;
  const existing = accounts.find(({ address }) => isSameAddress(address, safe));
  if (existing !== undefined)
    return (
      <p>
        It is in this wallet as <a href={linkTo('account', safe)}>{existing.name}</a>.
      </p>
    );
  const owner = accounts.find(
    (account) => isSafe(account) && newOwners.some((one) => isSameAddress(one, String(account.options.owner))),
  );
  if (owner === undefined) return <p>None of the new owners is a key of this wallet.</p>;
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="main"
          aria-disabled={action.isBusy}
          onClick={() => {
            action.run(async () => {
              await addRecovered(client, {
                chainId: `eip155:${chainId}`,
                address: safe,
                index: Number(owner.options.index),
              });
              await refresh();
              return 'Added, with its old address.';
            });
          }}
        >
          Add the account to this wallet
        </button>
      </div>
      <ActionStatus action={action} />
    </>
  );
}
