/**
 * The globals of every snap: a copy of `DEFAULT_ENDOWMENTS` from `@metamask/snaps-utils`, which is too large to bundle.
 */
const DEFAULT = [
  'atob',
  'btoa',
  'BigInt',
  'console',
  'crypto',
  'Date',
  'Math',
  'setTimeout',
  'clearTimeout',
  'SubtleCrypto',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'setInterval',
  'clearInterval',
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'isSecureContext',
  'Intl',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'DataView',
  'ArrayBuffer',
  'AbortController',
  'AbortSignal',
];

/** The globals that permissions add. */
const BY_PERMISSION: Readonly<Record<string, readonly string[]>> = {
  'endowment:network-access': ['fetch', 'Request', 'Headers', 'Response'],
  'endowment:webassembly': ['WebAssembly'],
  'endowment:ethereum-provider': ['ethereum'],
};

/** @returns The names of the globals of a snap with these permissions. */
export const endowmentsOf = (permissions: Readonly<Record<string, unknown>>): readonly string[] => [
  ...DEFAULT,
  ...Object.keys(permissions).flatMap((permission) => BY_PERMISSION[permission] ?? []),
];
