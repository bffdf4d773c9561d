import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { chainIdOf } from '../../core/schemas/chain';
import { checkChain } from '../networks/check-chain';
import { InternalError, KeysteadError } from '../../core/errors';
import { accountId } from '../accounts/account';
import { unlessDamaged } from '../accounts/repository';
import { type BackedUpAccount, type BackupContent, type Skipped } from './content';
import { type BackupDeps } from './deps';

/** The parts of a backup that are missing here. */
export type RestorePlan = {
  readonly accounts: readonly BackedUpAccount[];
  readonly chains: readonly ChainConfiguration[];
  /** The networks that cannot be set up, and why. */
  readonly refused: readonly Skipped[];
};

/** @returns The id of an account in a backup. */
export const idOf = ({ address, smart }: BackedUpAccount): string =>
  accountId(address, smart === undefined ? 'eip155:eoa' : 'eip155:erc4337');

/** @returns Whether MetaMask knows the account, on all the chains that the backup lists. */
async function isHere(entry: BackedUpAccount, { accounts }: BackupDeps): Promise<boolean> {
  const stored = await unlessDamaged(accounts.find(idOf(entry)), undefined);
  if (stored?.announced !== true) return false;
  const scopes: readonly string[] = stored.account.scopes;
  return entry.smart?.scopes.every((scope) => scopes.includes(scope)) ?? true;
}

/** @returns Why a network cannot be set up under the rules of `keystead_setChain`; empty if it can. */
async function refusalsOf(chain: ChainConfiguration): Promise<Skipped[]> {
  try {
    await checkChain(chain, chain.chainId);
    return [];
  } catch (error) {
    if (!(error instanceof KeysteadError) || error instanceof InternalError) throw error;
    return [{ what: chain.chainId, reason: error.message }];
  }
}

/** @returns What restoring a backup adds. Existing accounts and networks stay unchanged. */
export async function planOf({ accounts, chains }: BackupContent, deps: BackupDeps): Promise<RestorePlan> {
  const [areHere, areSetUp] = await Promise.all([
    Promise.all(accounts.map((entry) => isHere(entry, deps))),
    Promise.all(chains.map(async ({ chainId }) => typeof (await deps.chains.look(chainIdOf(chainId))) === 'object')),
  ]);
  const missing = chains.filter((_, index) => areSetUp[index] === false);
  const refusals = await Promise.all(missing.map(refusalsOf));
  return {
    accounts: accounts.filter((_, index) => areHere[index] === false),
    chains: missing.filter((_, index) => refusals[index]?.length === 0),
    refused: refusals.flat(),
  };
}
