import { type JsonRpcRequest } from '@metamask/snaps-sdk';

import { BACKUP_METHODS } from '../../backup/methods';
import { CHAIN_METHODS } from '../../networks/methods';
import { RPC_METHODS } from '../../rpc';
import { ProviderError, quoted, UnauthorizedError } from '../../../core/errors';
import { isWebOrigin } from '../../../core/decode/origin';
import { KEYRING_METHODS } from '../keyring';

/**
 * A page manages accounts, chains and backups; what an account signs comes through the wallet only, and which accounts
 * are selected only the wallet knows.
 */
const WALLET_ONLY: readonly string[] = ['keyring_submitRequest', 'keyring_setSelectedAccounts'];
const COMPANION_METHODS: ReadonlySet<string> = new Set(
  [...KEYRING_METHODS, ...Object.keys(CHAIN_METHODS), ...Object.keys(BACKUP_METHODS)].filter(
    (method) => !WALLET_ONLY.includes(method),
  ),
);

/**
 * Whether an origin may call a method of the keyring door. The wallet checks too; we do not rely on it.
 *
 * @param companions - The origins of companion pages; none in a production build.
 * @throws {UnauthorizedError} If it may not.
 */
export function assertMayCall(origin: string, method: string, companions: readonly string[]): void {
  if (origin === 'metamask') return;
  if (!companions.includes(origin))
    throw new UnauthorizedError('origin: this origin may not use the keyring of Keystead');
  if (!COMPANION_METHODS.has(method)) throw new UnauthorizedError(`method: a page may not call ${quoted(method)}`);
}

/**
 * Whether an origin may call a method of the dapp door: any web page, connected or not; what a page that is
 * not connected gets is each method's own. MetaMask has the keyring door. Other snaps are refused: in their
 * requests the person would not see which page is behind them.
 *
 * @throws {UnauthorizedError} If it may not.
 * @throws {ProviderError} 4200 if there is no such method.
 */
export function assertSiteMayCall(origin: string, method: string): void {
  if (!isWebOrigin(origin)) throw new UnauthorizedError('origin: only web pages may use this door');
  if (method.startsWith('keyring_'))
    throw new UnauthorizedError(`method: a dapp may not call ${quoted(method)}, nor any method of the keyring`);
  if (!Object.hasOwn(RPC_METHODS, method))
    throw new ProviderError('method-unsupported', `method: Keystead does not have ${quoted(method)}`);
}

/**
 * What a companion page manages through the dapp door, and the method of the keyring door that it is. MetaMask
 * passes pages on to the keyring door with a part of the keyring API only (`getAllowedKeyringMethods`).
 */
const MANAGED_AT_DAPP_DOOR: ReadonlyMap<string, string> = new Map([
  ...[...Object.keys(CHAIN_METHODS), ...Object.keys(BACKUP_METHODS)].map((method) => [method, method] as const),
  ['keystead_discoverAccounts', 'keyring_discoverAccounts'],
]);

/**
 * @param companions - The origins of companion pages; none in a production build.
 * @returns The request as the keyring door knows it; undefined unless a companion page manages something with it.
 */
export function companionRequest(
  origin: string,
  request: JsonRpcRequest,
  companions: readonly string[],
): JsonRpcRequest | undefined {
  const method = companions.includes(origin) ? MANAGED_AT_DAPP_DOOR.get(request.method) : undefined;
  return method === undefined ? undefined : { ...request, method };
}
