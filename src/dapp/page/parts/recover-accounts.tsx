import { type VNode } from 'preact';

import { recoverAccounts } from '../core/recover';
import { linkTo } from '../core/route';
import { useSession } from '../core/session';
import { useAction } from '../core/use-action';
import { ActionStatus } from './action-status';

/** Finds accounts again from the recovery phrase alone. */
export function RecoverAccounts(): VNode {
  const { client, chains, refresh } = useSession();
  const action = useAction();
  return (
    <section class="panel" aria-labelledby="recover">
      <h2 id="recover">Recover accounts</h2>
      <p>
        Looks for accounts of your recovery phrase that were used on the chains that are set up: deployed, funded, or
        with a transaction. Imported ones come back <a href={linkTo('backup')}>from a backup</a>.
      </p>
      <div class="actions">
        <button
          type="button"
          aria-disabled={action.isBusy}
          disabled={chains.length === 0}
          onClick={() => {
            action.run(async () => {
              const count = await recoverAccounts(client, chains);
              await refresh();
              return count === 0 ? 'No other account was used on these chains.' : `Recovered ${count}.`;
            });
          }}
        >
          Look for used accounts
        </button>
        {chains.length === 0 ? <a href={linkTo('settings')}>Set a chain up first</a> : null}
      </div>
      <ActionStatus action={action} />
    </section>
  );
}
