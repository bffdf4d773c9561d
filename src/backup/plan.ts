import { type ChainConfiguration } from '../wire/chain-configuration';
import { chainIdOf } from '../wire/chain';
import { DamagedAccountError } from '../errors';
import { accountId, type StoredAccount } from '../keyring/account';
import { type BackedUpAccount, type BackupContent } from './content';
import { type BackupDeps } from './deps';

/** What of a backup is not here yet. */
export type RestorePlan = {
  readonly accounts: readonly BackedUpAccount[];
  readonly chains: readonly ChainConfiguration[];
};

/** @returns The id that an account of a backup has. */
export const idOf = ({ address, smart }: BackedUpAccount): string =>
  accountId(address, smart === undefined ? 'eip155:eoa' : 'eip155:erc4337');

async function findSound(id: string, { accounts }: BackupDeps): Promise<StoredAccount | undefined> {
  try {
    return await accounts.find(id);
  } catch (error) {
    if (error instanceof DamagedAccountError) return undefined;
    throw error;
  }
}

/** Whether the wallet knows the account, on all the chains that the backup has it on. */
async function isHere(entry: BackedUpAccount, deps: BackupDeps): Promise<boolean> {
  const stored = await findSound(idOf(entry), deps);
  if (stored?.announced !== true) return false;
  const scopes: readonly string[] = stored.account.scopes;
  return entry.smart?.scopes.every((scope) => scopes.includes(scope)) ?? true;
}

/** @returns What restoring a backup adds: what is here stays as it is. */
export async function planOf({ accounts, chains }: BackupContent, deps: BackupDeps): Promise<RestorePlan> {
  const [areHere, areSetUp] = await Promise.all([
    Promise.all(accounts.map((entry) => isHere(entry, deps))),
    Promise.all(chains.map(async ({ chainId }) => typeof (await deps.chains.look(chainIdOf(chainId))) === 'object')),
  ]);
  return {
    accounts: accounts.filter((_, index) => areHere[index] === false),
    chains: chains.filter((_, index) => areSetUp[index] === false),
  };
}
