import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { addAccounts, missing, type Search, searchAccounts, type Used } from '../model/recover';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { counted } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';

const DOUBT = 'A node can be wrong, or lie.';

/** What the nodes say, and what to make of it. */
function sentenceFor({ used, looked, isCutOff }: Search, toAdd: readonly Used[]): string {
  if (used.length === 0)
    return `Your nodes call none of the first ${looked} accounts of each kind used. ${DOUBT} An account that you had comes back with New account, too: in the same order, with the same address.`;
  const found = `Your nodes call ${counted(used.length, 'account')} used, of the first ${looked} of each kind. `;
  const here = toAdd.length === 0 ? 'You have all of them here.' : `${toAdd.length} to add, or to use on more chains.`;
  const end = isCutOff ? ` The last ones are called used, too, so there may be more. ${DOUBT} Add those you know.` : '';
  return `${found}${here}${end}`;
}

/** Finds accounts again from the recovery phrase alone; the person chooses which of them are added. */
export function RecoverAccounts(): VNode {
  const { client, accounts, chains, refresh } = useSession();
  const [search, setSearch] = useState<Search>();
  const looking = useAction();
  const adding = useAction();
  const toAdd = search === undefined ? [] : missing(search.used, accounts);
  const look = (before?: Search): void => {
    adding.forget();
    looking.run(async () => {
      const found = await searchAccounts(client, chains, before);
      setSearch(found);
      return sentenceFor(found, missing(found.used, accounts));
    });
  };
  const add = async (wanted: readonly Used[]): Promise<string> => {
    if (wanted.length === 0) throw new Error('Choose at least one account.');
    try {
      await addAccounts(client, wanted, accounts);
    } finally {
      await refresh();
    }
    return `Added: ${wanted.map(({ name }) => name).join('; ')}.`;
  };
  return (
    <section class="panel" aria-labelledby="recover">
      <h2 id="recover">Recover accounts</h2>
      <p>
        Asks the nodes of your chains which accounts of your recovery phrase were used: deployed, funded, or with a
        transaction. Imported ones come back <a href={linkTo('backup')}>from a backup</a>.
      </p>
      <div class="actions">
        <button
          type="button"
          aria-disabled={looking.isBusy}
          disabled={chains.length === 0}
          onClick={() => {
            look();
          }}
        >
          Look for used accounts
        </button>
        {search?.isCutOff === true ? (
          <button
            type="button"
            aria-disabled={looking.isBusy}
            onClick={() => {
              look(search);
            }}
          >
            Look further
          </button>
        ) : null}
        {chains.length === 0 ? <a href={linkTo('settings')}>Set a chain up first</a> : null}
      </div>
      <ActionStatus action={looking} />
      {toAdd.length === 0 ? null : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            const chosen = new FormData(event.currentTarget).getAll('account');
            looking.forget();
            adding.run(() => add(toAdd.filter(({ name }) => chosen.includes(name))));
          }}
        >
          <fieldset>
            <legend>Which to add</legend>
            {toAdd.map(({ name, chains: used }) => (
              <label key={name} class="choice">
                <input type="checkbox" name="account" value={name} defaultChecked={search?.isCutOff === false} />
                <span>
                  {name} <span class="hint">used on {used.join(', ')}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <p class="hint">An externally owned account takes those with lower numbers along.</p>
          <div class="actions">
            <button type="submit" class="main" aria-disabled={adding.isBusy}>
              Add the chosen accounts
            </button>
          </div>
        </form>
      )}
      <ActionStatus action={adding} />
    </section>
  );
}
