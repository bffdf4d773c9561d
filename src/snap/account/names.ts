import { type Viewpoint } from '../../core/decode/explanation';
import { defaultName } from '../../core/accounts/account-name';
import { type Hex } from '../../core/eth/bytes';
import { type AccountEntry, isSmart } from './account';
import { namedParts } from './account-name';
import { type AccountDeps } from './deps';
import { unlessDamaged } from './repository';

/** The names of the user's accounts and networks, and the networks of smart accounts. */
export type DisplayNames = Required<Pick<Viewpoint, 'names' | 'networks' | 'smartOn'>>;

/** @returns An account as screens show it, by its one name. */
export function shownAccount(
  entry: AccountEntry,
  names: DisplayNames['names'],
): { readonly name: string; readonly address: Hex } {
  const { address } = entry.account;
  return { name: names[address.toLowerCase()] ?? defaultName(namedParts(entry)), address };
}

/** @returns The names of the user's accounts. */
export const accountNamesIn = ({ accounts }: Pick<AccountDeps, 'accounts'>): Promise<DisplayNames['names']> =>
  unlessDamaged(accounts.names(), {});

const chainIdIn = (scope: string): string => scope.slice('eip155:'.length);

/** The chain ids of the networks that smart accounts were made for, by lower-case address. */
const smartNetworks = (entries: readonly AccountEntry[]): DisplayNames['smartOn'] =>
  Object.fromEntries(
    entries.flatMap((entry) =>
      isSmart(entry) ? [[entry.account.address.toLowerCase(), entry.account.scopes.map(chainIdIn)]] : [],
    ),
  );

/** @returns The names of the user's accounts and networks, and the networks of smart accounts. */
export async function namesIn(deps: Pick<AccountDeps, 'accounts' | 'chains'>): Promise<DisplayNames> {
  const [names, entries, configured] = await Promise.all([
    accountNamesIn(deps),
    unlessDamaged(deps.accounts.entries(), []),
    deps.chains.list(),
  ]);
  return {
    names,
    smartOn: smartNetworks(entries),
    networks: Object.fromEntries(configured.map((chain) => [chainIdIn(chain.chainId), chain])),
  };
}
