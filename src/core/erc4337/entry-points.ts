import { isSameAddress } from '../eth/address';
import { type Hex } from '../eth/bytes';

/**
 * The supported versions of the entry point contract. They differ in hashing and packing.
 *
 * @example
 * ```ts
 * const version: EntryPointVersion = '0.7';
 * ENTRY_POINTS[version]; // => '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
 * ```
 */
export type EntryPointVersion = '0.6' | '0.7' | '0.8' | '0.9';

/**
 * The canonical entry points: the same address on every chain (eth-infinitism/account-abstraction, releases).
 *
 * @example
 * ```ts
 * ENTRY_POINTS['0.7']; // => '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
 * ```
 */
export const ENTRY_POINTS: Readonly<Record<EntryPointVersion, Hex>> = {
  '0.6': '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
  '0.7': '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  '0.8': '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  '0.9': '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
};

const VERSIONS = Object.keys(ENTRY_POINTS) as EntryPointVersion[];

/**
 * @returns The version of a canonical entry point, or undefined for any other address.
 *
 * @example
 * ```ts
 * versionOfEntryPoint('0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789'); // => '0.6'
 * versionOfEntryPoint('0x70997970C51812dc3A010C7d01b50e0d17dc79C8'); // => undefined
 * ```
 */
export const versionOfEntryPoint = (address: string): EntryPointVersion | undefined =>
  VERSIONS.find((version) => isSameAddress(ENTRY_POINTS[version], address));

/**
 * The entry point versions that smart accounts can be created for.
 *
 * @example
 * ```ts
 * ACCOUNT_VERSIONS.map((version) => ENTRY_POINTS[version].length); // => [42, 42, 42, 42]
 * ACCOUNT_VERSIONS[0]; // => '0.6'
 * ```
 */
export const ACCOUNT_VERSIONS = ['0.6', '0.7', '0.8', '0.9'] as const satisfies EntryPointVersion[];

/**
 * An entry point version that smart accounts can be created for.
 *
 * @example
 * ```ts
 * const newest: AccountVersion = '0.9';
 * ACCOUNT_VERSIONS.at(-1); // => newest
 * ```
 */
export type AccountVersion = (typeof ACCOUNT_VERSIONS)[number];
