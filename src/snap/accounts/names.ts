import { type Viewpoint } from '../../core/decode/explanation';
import { type ChainRepository } from '../networks/repository';
import { type AccountRepository, unlessDamaged } from './repository';

export type NamesDeps = { readonly accounts: AccountRepository; readonly chains: ChainRepository };

/** The names of the user's accounts and networks. */
export type Names = Required<Pick<Viewpoint, 'names' | 'networks'>>;

/** @returns The names of the user's accounts and networks. */
export async function namesIn({ accounts, chains }: NamesDeps): Promise<Names> {
  const [names, configured] = await Promise.all([unlessDamaged(accounts.names(), {}), chains.list()]);
  return {
    names,
    networks: Object.fromEntries(configured.map((chain) => [chain.chainId.slice('eip155:'.length), chain])),
  };
}
