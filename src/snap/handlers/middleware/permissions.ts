import { type JsonRpcRequest } from '@metamask/snaps-sdk';

import { RPC_METHODS } from '../../rpc';
import { MethodNotSupportedError, ProviderError, quoted, UnauthorizedError } from '../../../core/errors';
import { isWebOrigin } from '../../../core/schemas/origin';
import { KEYRING_METHODS } from '../keyring';
import { MANAGEMENT_METHODS } from '../management';

/**
 * A companion page may manage accounts, networks and backups, and read what they did. Only MetaMask may request
 * signatures, ask who signs them, and report the selected accounts.
 */
const WALLET_ONLY: readonly string[] = [
  'keyring_submitRequest',
  'keyring_setSelectedAccounts',
  'keyring_resolveAccountAddress',
];

/** The methods beyond the keyring API. */
const OWN_METHODS = Object.keys(MANAGEMENT_METHODS);
const COMPANION_METHODS: ReadonlySet<string> = new Set(
  [...KEYRING_METHODS, ...OWN_METHODS].filter((method) => !WALLET_ONLY.includes(method)),
);

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
  if (!COMPANION_METHODS.has(method)) throw new UnauthorizedError(`method: a page may not call ${quoted(method)}`);
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
  if (!Object.hasOwn(RPC_METHODS, method)) {
    const instead = ALTERNATIVES.get(method);
    const message = `method: Keystead does not support ${quoted(method)}${instead === undefined ? '' : `. Use ${instead}`}`;
    throw MAY_BE_TRIED.test(method)
      ? new MethodNotSupportedError(message)
      : new ProviderError('method-unsupported', message);
  }
}

/**
 * The management methods that a companion page calls through the RPC handler, and their keyring handler methods.
 * MetaMask forwards only a part of the keyring API from pages (`getAllowedKeyringMethods`).
 */
const MANAGEMENT_METHODS_OVER_RPC: ReadonlyMap<string, string> = new Map([
  ...OWN_METHODS.map((method) => [method, method] as const),
  ['keystead_discoverAccounts', 'keyring_discoverAccounts'],
]);

/**
 * @param companions - The origins of companion pages. Empty in a production build.
 * @returns The request for the keyring handler, or undefined if it is not a management request of a companion page.
 */
export function companionRequest(
  origin: string,
  request: JsonRpcRequest,
  companions: readonly string[],
): JsonRpcRequest | undefined {
  const method = companions.includes(origin) ? MANAGEMENT_METHODS_OVER_RPC.get(request.method) : undefined;
  return method === undefined ? undefined : { ...request, method };
}
