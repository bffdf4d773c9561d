import { type VNode } from 'preact';

import { isSameAddress } from '../../core/eth/address';
import { isSmart } from '../model/account-name';
import { type Delegation } from '../../core/methods/results';
import { readDelegations } from '../model/delegations';
import { networkOfChain } from '../model/network';
import { useSession } from '../model/session';
import { type Account, type Chain } from '../model/types';
import { useLookup } from '../model/use-lookup';
import { DelegationItem } from './delegation';
import { LookupStatus } from './lookup-status';
import { Panel } from './panel';

type Shown = { readonly delegation: Delegation; readonly account: Account; readonly chain: Chain };

/** Reads what accounts run (EIP-7702). Smart accounts are contracts already. */
function useDelegations(wanted: readonly Account[]) {
  const { client, chains } = useSession();
  const accounts = wanted.filter((account) => !isSmart(account));
  const ids = [...accounts.map(({ id }) => id), ...chains.map(({ chainId, rpcUrl }) => `${chainId} ${rpcUrl}`)];
  const { value = [], ...rest } = useLookup(
    () => (accounts.length === 0 || chains.length === 0 ? Promise.resolve([]) : readDelegations(client)),
    [ids.join()],
  );
  const shown = value.flatMap((delegation): Shown[] => {
    const account = accounts.find(({ address }) => isSameAddress(address, delegation.account));
    const chain = chains.find(({ chainId }) => chainId === delegation.chainId);
    return account === undefined || chain === undefined ? [] : [{ delegation, account, chain }];
  });
  return { shown, ...rest };
}

const COSTS = 'Taking an upgrade back costs a network fee.';

/** On Home: the accounts that run the code of a contract; nothing if there are none. */
export function UpgradedAccounts(): VNode | null {
  const { accounts } = useSession();
  const { shown } = useDelegations(accounts);
  if (shown.length === 0) return null;
  return (
    <Panel id="upgraded" title="Upgraded accounts">
      <p class="hint">These accounts run the code of a contract (EIP-7702). {COSTS}</p>
      {shown.map(({ delegation, account, chain }) => (
        <DelegationItem
          key={`${account.id} ${chain.chainId}`}
          delegation={delegation}
          chain={chain}
          name={account.name}
          title={`${account.name} on ${networkOfChain(chain).name}`}
        />
      ))}
    </Panel>
  );
}

/** On the page of an externally owned account: what it runs on each network, if anything. */
export function AccountUpgrades({ account }: { readonly account: Account }): VNode {
  const { chains } = useSession();
  const { shown, error, isBusy } = useDelegations([account]);
  return (
    <Panel id="upgrades" title="Upgrades">
      {shown.length > 0 ? (
        <p class="hint">
          An upgraded account runs the code of a contract on that network (EIP-7702). Its address, key and assets stay
          the same. {COSTS}
        </p>
      ) : null}
      {shown.map(({ delegation, chain }) => (
        <DelegationItem
          key={chain.chainId}
          delegation={delegation}
          chain={chain}
          name={account.name}
          title={networkOfChain(chain).name}
        />
      ))}
      {isBusy || error !== undefined ? <LookupStatus error={error}>Asking the networks…</LookupStatus> : null}
      {isBusy || error !== undefined || shown.length > 0 ? null : (
        <p>
          {chains.length === 0
            ? 'There is no network to look on yet.'
            : 'No upgrades: this is a standard account on every network whose node responds. Keystead upgrades it, after asking you, when several calls are sent at once or someone else pays the fee.'}
        </p>
      )}
    </Panel>
  );
}
