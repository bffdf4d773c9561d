import { MethodNotSupportedError, ProviderError, quoted, StateError, UnauthorizedError } from '../../core/errors';
import { isWebOrigin } from '../../core/schemas/origin';
import { isManagementMethod, ownTraits } from '../../core/methods/own';
import { isSiteMethod } from '../../core/methods/sites';
import { isSiteRead } from '../send/node-reads';

/**
 * Checks whether an origin may call a method of the keyring handler. MetaMask checks this too, but we do not rely on
 * it.
 *
 * @param companions - The origins of companion pages. Empty in a production build.
 * @throws {UnauthorizedError} If the origin may not call the method.
 */
export function assertMayCall(origin: string, method: string, companions: readonly string[]): void {
  if (origin === 'metamask') return;
  if (!companions.includes(origin)) throw new UnauthorizedError('origin: this origin may not use the Keystead keyring');
  // Only MetaMask may request signatures, ask who signs them, and report the selected accounts.
  const traits = ownTraits(method);
  if (traits === undefined || traits.isForWallet)
    throw new UnauthorizedError(`method: a page may not call ${quoted(method)}`);
}

/** Methods that older pages call, and what replaced them. */
const ALTERNATIVES: ReadonlyMap<string, string> = new Map([
  ['eth_sign', 'personal_sign'],
  ['eth_signTypedData', 'eth_signTypedData_v4'],
  ['eth_signTypedData_v1', 'eth_signTypedData_v4'],
  ['eth_signTypedData_v3', 'eth_signTypedData_v4'],
]);

/**
 * Methods of wallets and nodes that libraries try before or after another one. By -32601 they know that the wallet has
 * none, and report the failure of the other one; for 4200 they report that instead.
 */
const MAY_BE_TRIED = /^(?:wallet_[a-z]\w{0,60}|eth_fillTransaction|eth_send(?:Raw)?TransactionSync)$/iu;

/**
 * Checks whether an origin may call a method of the RPC handler. Any web page may; each method decides what a page
 * without a connection gets. MetaMask uses the keyring handler instead. Other snaps are rejected, because the user
 * would not see which page is behind their requests.
 *
 * @throws {UnauthorizedError} If the origin may not call the method.
 * @throws {ProviderError} 4200 if the method does not exist.
 * @throws {MethodNotSupportedError} The same for methods that libraries try.
 */
export function assertSiteMayCall(origin: string, method: string): void {
  if (!isWebOrigin(origin)) throw new UnauthorizedError('origin: only web pages may call this method');
  if (method.startsWith('keyring_'))
    throw new UnauthorizedError(`method: a site may not call ${quoted(method)} or any other keyring method`);
  if (!isSiteMethod(method) && !isSiteRead(method)) {
    const instead = ALTERNATIVES.get(method);
    const message = `method: Keystead does not support ${quoted(method)}${instead === undefined ? '' : `. Use ${instead}`}`;
    throw MAY_BE_TRIED.test(method)
      ? new MethodNotSupportedError(message)
      : new ProviderError('method-unsupported', message);
  }
}

/**
 * MetaMask forwards only a part of the keyring API from pages (`getAllowedKeyringMethods`), so a companion page calls
 * management methods through the RPC handler.
 *
 * @param companions - The origins of companion pages. Empty in a production build.
 * @returns Whether a request of the RPC handler is for the keyring handler.
 */
export const isManaging = (origin: string, method: string, companions: readonly string[]): boolean =>
  companions.includes(origin) && isManagementMethod(method);

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
