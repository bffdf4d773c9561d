import { type Viewpoint } from '../../core/decode/explanation';
import { defaultName } from '../../core/accounts/account-name';
import { type Hex } from '../../core/eth/bytes';
import { type AccountEntry } from './account';
import { namedParts } from './account-name';
import { type AccountDeps } from './deps';
import { unlessDamaged } from './repository';

/** The names of the user's accounts and networks. */
export type Names = Required<Pick<Viewpoint, 'names' | 'networks'>>;

/** @returns An account as screens show it, by its one name. */
export function shownAccount(
  entry: AccountEntry,
  names: Names['names'],
): { readonly name: string; readonly address: Hex } {
  const { address } = entry.account;
  return { name: names[address.toLowerCase()] ?? defaultName(namedParts(entry)), address };
}

/** @returns The names of the user's accounts. */
export const accountNamesIn = ({ accounts }: Pick<AccountDeps, 'accounts'>): Promise<Names['names']> =>
  unlessDamaged(accounts.names(), {});

/** @returns The names of the user's accounts and networks. */
export async function namesIn(deps: Pick<AccountDeps, 'accounts' | 'chains'>): Promise<Names> {
  const [names, configured] = await Promise.all([accountNamesIn(deps), deps.chains.list()]);
  return {
    names,
    networks: Object.fromEntries(configured.map((chain) => [chain.chainId.slice('eip155:'.length), chain])),
  };
}
