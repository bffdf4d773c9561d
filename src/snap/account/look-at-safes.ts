import { type ChainName } from '../../core/schemas/chain';
import { lookForRecoveries, type LookDeps } from './recoveries/look';
import { type RecoveryEntry } from './recoveries/repository';
import { isSmart } from './account';
import { SAFE_KIND } from './alarmed';
import { type AccountDeps } from './deps';
import { unlessDamaged } from './repository';

/** Looks at the recovery modules of all Safes of the user. See {@link lookForRecoveries}. */
export async function lookAtSafes(deps: LookDeps & Pick<AccountDeps, 'accounts'>): Promise<readonly RecoveryEntry[]> {
  const stored = await unlessDamaged(deps.accounts.entries(), []);
  const entries = stored.flatMap((entry) => (isSmart(entry) ? [entry] : []));
  const safes = entries.filter(({ smart }) => smart.kind === SAFE_KIND);
  return lookForRecoveries(
    safes.map(({ account: { address, scopes }, smart: { owner } }) => ({
      address,
      owner,
      chainIds: scopes as ChainName[],
    })),
    deps,
  );
}
