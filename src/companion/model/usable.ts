import { type Address } from 'viem';

import { isSameAddress } from '../../core/eth/address';
import { whoPays } from '../../core/networks/who-pays';
import { isSafe, isSmart } from './account-name';
import { nodeOf } from './node';
import { readSafeOwners } from './safe';
import { type Account, type Chain } from './types';

/** An account that the wallet's key controls on a network. */
export type Usable = {
  readonly account: Account;
  /** The number of owners that have to sign. */
  readonly signatures: number;
};

/** @returns Whether an account is on a network. Standard accounts are on all. */
export const isOnChain = (account: Pick<Account, 'type' | 'scopes'>, { chainId }: Pick<Chain, 'chainId'>): boolean =>
  !isSmart(account) || (account.scopes as readonly string[]).includes(chainId);

/** @returns undefined if the account's key is not one of its owners. */
async function usable(account: Account, chain: Chain): Promise<Usable | undefined> {
  if (!isOnChain(account, chain)) return undefined;
  if (!isSafe(account)) return { account, signatures: 1 };
  // A node that does not answer proves nothing against the key.
  const safe = await readSafeOwners(nodeOf(chain), account.address as Address).catch(() => undefined);
  if (safe === undefined) return { account, signatures: 1 };
  const isOwner = safe.owners.some((owner) => isSameAddress(owner, String(account.options.owner)));
  return isOwner ? { account, signatures: safe.threshold } : undefined;
}

/** @returns The accounts that their keys control on a network, in order. A recovery has given others to a new owner. */
export const usableOn = async (accounts: readonly Account[], chain: Chain): Promise<readonly Usable[]> =>
  (await Promise.all(accounts.map((account) => usable(account, chain)))).filter((one) => one !== undefined);

/** @returns Whether Keystead can send from an account: smart accounts need a bundler. */
export const canSend = ({ account }: Usable, { bundlerUrl }: Pick<Chain, 'bundlerUrl'>): boolean =>
  !isSmart(account) || bundlerUrl !== undefined;

/** @returns Who pays the network fee of what an account sends from this page. See {@link whoPays}. */
export const payerOf = ({ account, signatures }: Usable, { paymasterUrl }: Pick<Chain, 'paymasterUrl'>) =>
  whoPays({ sending: isSmart(account) ? 'operation' : 'either', hasPaymaster: paymasterUrl !== undefined, signatures });
