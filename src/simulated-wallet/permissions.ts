import { type Json } from '@metamask/snaps-sdk';

import { RpcError, unauthorized } from './rpc-error';
import { type Manifest } from './snap-files';

/** Permitted methods that come with another permission than one of their own name. */
const PERMISSION_OF_METHOD: Readonly<Record<string, string>> = {
  snap_getState: 'snap_manageState',
  snap_setState: 'snap_manageState',
  snap_clearState: 'snap_manageState',
  snap_scheduleBackgroundEvent: 'endowment:cronjob',
  snap_cancelBackgroundEvent: 'endowment:cronjob',
  snap_getBackgroundEvents: 'endowment:cronjob',
  snap_listEntropySources: 'snap_getEntropy',
};

/** Methods that every snap may call. */
const FREE = new Set([
  'snap_createInterface',
  'snap_updateInterface',
  'snap_resolveInterface',
  'snap_getInterfaceState',
  'snap_getInterfaceContext',
  'snap_getFile',
  'snap_getClientStatus',
]);

/** @throws {RpcError} If the snap's manifest does not ask for what it calls. */
export function assertSnapMay(manifest: Manifest, method: string): void {
  const permission = PERMISSION_OF_METHOD[method] ?? method;
  if (FREE.has(method) || permission in manifest.initialPermissions) return;
  throw unauthorized(`The snap does not have the permission "${permission}".`);
}

type Origins = { readonly dapps?: boolean; readonly allowedOrigins?: readonly string[] };

const matches = (pattern: string, origin: string): boolean =>
  new RegExp(`^${pattern.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&').replace(/\\\*/gu, '.*')}$`, 'u').test(origin);

/**
 * MetaMask's check of who may reach a handler of a snap (`isOriginAllowed` of `@metamask/snaps-utils`).
 *
 * @param endowment - `endowment:rpc` or `endowment:keyring`.
 * @throws {RpcError} If the snap has no such handler, or does not let this origin in.
 */
export function assertOriginMay(manifest: Manifest, endowment: string, origin: string): void {
  if (origin === 'metamask') return;
  const caveat = manifest.initialPermissions[endowment] as Origins | Json | undefined;
  if (typeof caveat !== 'object' || caveat === null || Array.isArray(caveat))
    throw new RpcError(-32601, `The snap does not have "${endowment}".`);
  const { dapps = false, allowedOrigins = [] } = caveat as Origins;
  if (dapps || allowedOrigins.some((pattern) => matches(pattern, origin))) return;
  throw unauthorized(`The snap does not let ${origin} use "${endowment}".`);
}
