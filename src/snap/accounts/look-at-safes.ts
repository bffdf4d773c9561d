import { type Hex } from '../../core/eth/bytes';
import { type ChainName } from '../../core/schemas/chain';
import { lookForRecoveries, type LookDeps } from '../recoveries/look';
import { type WatchedModule } from '../recoveries/repository';
import { isSmart } from './account';
import { SAFE_KIND } from './alarmed';
import { type AccountRepository, unlessDamaged } from './repository';

export type LookAtSafesDeps = LookDeps & { readonly accounts: AccountRepository };

/** Looks at the recovery modules of all Safes of the user. See {@link lookForRecoveries}. */
export async function lookAtSafes(deps: LookAtSafesDeps): Promise<readonly WatchedModule[]> {
  const entries = await unlessDamaged(deps.accounts.entries(), []);
  const safes = entries.filter((entry) => isSmart(entry) && entry.smart.kind === SAFE_KIND);
  return lookForRecoveries(
    safes.map(({ account: { address, scopes } }) => ({ address: address as Hex, chainIds: scopes as ChainName[] })),
    deps,
  );
}
