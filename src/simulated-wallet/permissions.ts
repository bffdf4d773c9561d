import { type Json } from '@metamask/snaps-sdk';

import { RpcError, unauthorized } from './rpc-error';
import { type Manifest } from './snap-files';

/** Methods whose permission has another name than the method. */
const PERMISSION_OF_METHOD: Readonly<Record<string, string>> = {
  snap_getState: 'snap_manageState',
  snap_setState: 'snap_manageState',
  snap_clearState: 'snap_manageState',
  snap_scheduleBackgroundEvent: 'endowment:cronjob',
  snap_cancelBackgroundEvent: 'endowment:cronjob',
  snap_getBackgroundEvents: 'endowment:cronjob',
  snap_listEntropySources: 'snap_getEntropy',
};

/** Methods that need no permission. */
const UNRESTRICTED = new Set([
  'snap_createInterface',
  'snap_updateInterface',
  'snap_resolveInterface',
  'snap_getInterfaceState',
  'snap_getInterfaceContext',
  'snap_getFile',
  'snap_getClientStatus',
]);

/** @throws {RpcError} 4100 if the snap's manifest does not request the permission for the method. */
export function assertSnapMay(manifest: Manifest, method: string): void {
  const permission = PERMISSION_OF_METHOD[method] ?? method;
  if (UNRESTRICTED.has(method) || permission in manifest.initialPermissions) return;
  throw unauthorized(`The snap does not have the permission "${permission}".`);
}

type Origins = { readonly dapps?: boolean; readonly allowedOrigins?: readonly string[] };

const matches = (pattern: string, origin: string): boolean =>
  new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&').replace(/\\\*/gu, '.*')}$`, 'u').test(origin);

/**
 * Checks whether an origin may call a handler of a snap, as MetaMask does (`isOriginAllowed` of
 * `@metamask/snaps-utils`).
 *
 * @param endowment - `endowment:rpc` or `endowment:keyring`.
 * @throws {RpcError} -32601 if the snap has no such handler; 4100 if it does not allow the origin.
 */
export function assertOriginMay(manifest: Manifest, endowment: string, origin: string): void {
  if (origin === 'metamask') return;
  const caveat = manifest.initialPermissions[endowment] as Origins | Json | undefined;
  if (typeof caveat !== 'object' || caveat === null || Array.isArray(caveat))
    throw new RpcError(-32601, `The snap does not have "${endowment}".`);
  const { dapps = false, allowedOrigins = [] } = caveat as Origins;
  if (dapps || allowedOrigins.some((pattern) => matches(pattern, origin))) return;
  throw unauthorized(`The snap does not allow ${origin} to use "${endowment}".`);
}
