import { isSameAddress } from '../eth/address';
import { type Hex } from '../eth/bytes';

/**
 * The supported versions of the entry point contract. They differ in hashing and packing.
 *
 * @example
 * ```ts
 * const versions: EntryPointVersion[] = ['0.6', '0.7', '0.8', '0.9'];
 * versions.at(-1); // => '0.9'
 * ```
 */
export type EntryPointVersion = '0.6' | '0.7' | '0.8' | '0.9';

/** The canonical entry points: the same address on every chain (eth-infinitism/account-abstraction, releases). */
export const ENTRY_POINTS: Readonly<Record<EntryPointVersion, Hex>> = {
  '0.6': '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
  '0.7': '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  '0.8': '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  '0.9': '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
};

const VERSIONS = Object.keys(ENTRY_POINTS) as EntryPointVersion[];

/** @returns The version of a canonical entry point, or undefined for any other address. */
export const versionOfEntryPoint = (address: string): EntryPointVersion | undefined =>
  VERSIONS.find((version) => isSameAddress(ENTRY_POINTS[version], address));

/** The entry point versions that smart accounts can be created for. */
export const ACCOUNT_VERSIONS = ['0.6', '0.7', '0.8', '0.9'] as const satisfies EntryPointVersion[];

/** An entry point version that smart accounts can be created for. */
export type AccountVersion = (typeof ACCOUNT_VERSIONS)[number];
