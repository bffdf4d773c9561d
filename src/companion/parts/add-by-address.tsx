import { type VNode } from 'preact';

import { isImported, isSafe } from '../model/account-name';
import { networkOfChain } from '../model/network';
import { addRecovered } from '../model/recover';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { Choice, Field, valuesOf } from './field';

/** Adds a Safe that guardians recovered, whose address the person knows. */
export function AddByAddress(): VNode {
  const { client, accounts, chains, refresh } = useSession();
  const action = useAction('Look for Keystead’s dialog, and compare the address there.');
  const keys = accounts.filter(
    (account) => isSafe(account) && !isImported(account) && account.options.isRecovered !== true,
  );
  return (
    <details>
      <summary>Add a recovered account by its address</summary>
      {keys.length === 0 ? (
        <p>
          First <a href={linkTo('add-account')}>create the Safe</a> whose key your guardians made the new owner.
        </p>
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            const { chain = '', address = '', index = '' } = valuesOf(event.currentTarget);
            action.run(async () => {
              await addRecovered(client, { chainId: chain, address, index: Number(index) });
              await refresh();
              return 'Added, with its old address.';
            });
          }}
        >
          <Choice label="Network" name="chain">
            {chains.map((chain) => (
              <option key={chain.chainId} value={chain.chainId}>
                {networkOfChain(chain).name}
              </option>
            ))}
          </Choice>
          <Field label="Address of the recovered account" name="address" placeholder="0x…" />
          <Choice label="Its new owner" name="index">
            {keys.map((account) => (
              <option key={account.id} value={String(account.options.index)}>
                The key of {account.name}
              </option>
            ))}
          </Choice>
          <div class="actions">
            <button type="submit" class="main" aria-disabled={action.isBusy}>
              Add the account
            </button>
          </div>
          <ActionStatus action={action} />
        </form>
      )}
    </details>
  );
}
