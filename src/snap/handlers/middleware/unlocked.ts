import { ownTraits } from '../../../core/methods/own';
import { StateError, UnauthorizedError } from '../../../core/errors';

export const locked = (): UnauthorizedError =>
  new UnauthorizedError(
    'The wallet is locked. Unlock it, or call eth_requestAccounts, which asks the user to unlock it.',
  );

/** The lock state of the wallet, and how to prompt the user to unlock it. */
export type WalletLock = {
  readonly isLocked: () => Promise<boolean>;
  /** Reads from the state, which makes a locked wallet prompt the user to unlock it. */
  readonly unlock: () => Promise<unknown>;
};

/**
 * Ensures that the keyring handler returns cached data only while the wallet is unlocked, as if the data were read. A
 * request from a page is rejected; for a request from MetaMask, the user is asked to unlock the wallet.
 * `keyring_submitRequest` is exempt (`worksLocked`), because the keys and the state it needs are locked by the wallet
 * itself.
 *
 * @throws {UnauthorizedError} If the wallet is locked and stays locked.
 */
export async function assertUnlocked(origin: string, method: string, { isLocked, unlock }: WalletLock): Promise<void> {
  if (ownTraits(method)?.worksLocked === true || !(await isLocked())) return;
  if (origin !== 'metamask') throw locked();
  try {
    await unlock();
  } catch (error) {
    if (error instanceof StateError && (await isLocked())) throw locked();
    throw error;
  }
}
