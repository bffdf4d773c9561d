import { StateError, UnauthorizedError } from '../../../core/errors';

export const locked = (): UnauthorizedError =>
  new UnauthorizedError('The wallet is locked. Unlock it, or call eth_requestAccounts to have it ask.');

/** Whether the wallet is locked, and how to have it ask for the password. */
export type WalletLock = {
  readonly isLocked: () => Promise<boolean>;
  /** Reads something that is stored: a locked wallet asks the person to unlock it first. */
  readonly unlock: () => Promise<unknown>;
};

/**
 * What is kept in memory may be told, at the keyring door, only while the wallet is unlocked, as if it were read. A page
 * is refused; MetaMask itself has the person unlock it. What `keyring_submitRequest` signs or stores, the wallet keeps
 * locked itself.
 *
 * @throws {UnauthorizedError} If the wallet is locked and stays so.
 */
export async function assertUnlocked(origin: string, method: string, { isLocked, unlock }: WalletLock): Promise<void> {
  if (method === 'keyring_submitRequest' || !(await isLocked())) return;
  if (origin !== 'metamask') throw locked();
  try {
    await unlock();
  } catch (error) {
    if (error instanceof StateError && (await isLocked())) throw locked();
    throw error;
  }
}
