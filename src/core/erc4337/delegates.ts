import { isSameAddress } from '../eth/address';
import { type Hex } from '../eth/bytes';
import { type EntryPointVersion } from './entry-points';

/** The entry point versions that a delegated account can use. */
export const DELEGATE_VERSIONS = ['0.8', '0.9'] as const satisfies EntryPointVersion[];

/** An entry point version that a delegated account can use. */
export type DelegateVersion = (typeof DELEGATE_VERSIONS)[number];

/**
 * The contracts that an externally owned account may delegate to (EIP-7702): Simple7702Account of
 * eth-infinitism/account-abstraction, by entry point version. It accepts the account's own key only, has no other
 * owner, and stores nothing. The addresses are the same on every chain.
 */
export const DELEGATES: Readonly<Record<DelegateVersion, Hex>> = {
  '0.8': '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
  '0.9': '0xa46cc63eBF4Bd77888AA327837d20b23A63a56B5',
};

/** The keccak256 hash of a delegate's runtime code, where it is final. */
export const DELEGATE_CODE_HASHES: Readonly<Partial<Record<DelegateVersion, Hex>>> = {
  '0.8': '0xcc7b633aef4b2543cb8f37522adf1a401f910f0f6b2430c1eecc11f401ccfcf3',
};

/** @returns The version of a delegate on the list, or undefined for any other address. */
export const delegateVersionOf = (address: Hex): DelegateVersion | undefined =>
  DELEGATE_VERSIONS.find((version) => isSameAddress(DELEGATES[version], address));
