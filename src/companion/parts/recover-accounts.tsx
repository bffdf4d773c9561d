import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { networkOf } from '../../core/networks/network';
import { addAccounts, missing, type Search, searchAccounts, type Used } from '../model/recover';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { type Chain } from '../model/types';
import { counted, numberOf } from '../model/units';
import { useAction } from '../model/use-action';
import { ActionStatus } from './action-status';
import { AddByAddress } from './add-by-address';
import { Warning } from './icons';
import { Panel } from './panel';

/** @returns The networks by name; those that are not set up any more by number. */
const namesOf = (chainIds: readonly string[], chains: readonly Chain[]): string =>
  chainIds
    .map(
      (chainId) =>
        networkOf(
          numberOf(chainId),
          chains.find((chain) => chain.chainId === chainId),
        ).name,
    )
    .join(', ');

/** @returns The same text for the same account only: names can be alike. */
const keyOf = ({ name, address, chains }: Used): string => [name, address, ...chains].join(' ');

const NODE_WARNING = 'Nodes can be wrong, or lie.';

/** Says what the nodes report, and what to do with it. */
function summaryOf({ used, looked, isCutOff }: Search, toAdd: readonly Used[]): string {
  if (used.length === 0)
    return `Your nodes report no used accounts among the first ${looked} of each type. ${NODE_WARNING} You can also get an account back with “New account”: accounts are created in the same order, at the same addresses.`;
  const found = `Your nodes report ${counted(used.length, 'used account')} among the first ${looked} of each type. `;
  const next =
    toAdd.length === 0 ? 'You already have all of them.' : `${toAdd.length} can be added, or used on more networks.`;
  const more = isCutOff
    ? ` The last ones are reported as used too, so there may be more. ${NODE_WARNING} Add only accounts you recognize.`
    : '';
  return `${found}${next}${more}`;
}

/** A Safe that does not follow from the phrase: anyone can make a Safe with your key as its owner. */
const RecoveredHint = ({ address }: { readonly address: string }): VNode => (
  <span class="hint">
    {' '}
    with another address than your phrase gives, <span class="address">{address}</span>. Select it only if guardians
    recovered this account for you.
  </span>
);

/** Finds accounts from the recovery phrase alone. The person chooses which of them to add. */
export function RecoverAccounts(): VNode {
  const { client, accounts, chains, refresh } = useSession();
  const [search, setSearch] = useState<Search>();
  const searching = useAction();
  const adding = useAction();
  const toAdd = search === undefined ? [] : missing(search.used, accounts);
  const find = (before?: Search): void => {
    adding.forget();
    searching.run(async () => {
      const found = await searchAccounts(client, chains, before);
      setSearch(found);
      return summaryOf(found, missing(found.used, accounts));
    });
  };
  const add = async (wanted: readonly Used[]): Promise<string> => {
    if (wanted.length === 0) throw new Error('Select at least one account.');
    try {
      await addAccounts(client, wanted, accounts);
    } finally {
      await refresh();
    }
    return `Added: ${wanted.map(({ name }) => name).join('; ')}.`;
  };
  return (
    <Panel id="recover" title="Recover accounts">
      <p>
        Keystead asks the nodes of your networks which accounts of your recovery phrase have been used: deployed,
        funded, or with a transaction. Imported accounts come <a href={linkTo('backup')}>from a backup</a> instead.
      </p>
      <div class="actions">
        <button type="button" aria-disabled={searching.isBusy} disabled={chains.length === 0} onClick={() => find()}>
          Find used accounts
        </button>
        {search?.isCutOff === true ? (
          <button type="button" aria-disabled={searching.isBusy} onClick={() => find(search)}>
            Search further
          </button>
        ) : null}
        {chains.length === 0 ? <a href={linkTo('settings')}>Add a network first</a> : null}
      </div>
      <ActionStatus action={searching} />
      {search === undefined || search.unsearched.length === 0 ? null : (
        <Warning>
          Accounts that guardians recovered were not all looked for on {namesOf(search.unsearched, chains)}: the node
          did not search everything. Add yours by its address.
        </Warning>
      )}
      {toAdd.length === 0 ? null : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            const chosen = new FormData(event.currentTarget).getAll('account');
            searching.forget();
            adding.run(() => add(toAdd.filter((each) => chosen.includes(keyOf(each)))));
          }}
        >
          <fieldset>
            <legend>Accounts to add</legend>
            {toAdd.map((each) => (
              <label key={keyOf(each)} class="choice">
                <input
                  type="checkbox"
                  name="account"
                  value={keyOf(each)}
                  defaultChecked={search?.isCutOff === false && each.address === undefined}
                />
                <span>
                  {each.name} <span class="hint">used on {namesOf(each.chains, chains)}</span>
                  {each.address === undefined ? null : <RecoveredHint address={each.address} />}
                </span>
              </label>
            ))}
          </fieldset>
          <p class="hint">Adding a standard account also adds those with lower numbers.</p>
          <div class="actions">
            <button type="submit" class="main" aria-disabled={adding.isBusy}>
              Add selected accounts
            </button>
          </div>
        </form>
      )}
      <ActionStatus action={adding} />
      {chains.length === 0 ? null : <AddByAddress />}
    </Panel>
  );
}
