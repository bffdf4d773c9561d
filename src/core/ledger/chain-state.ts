import { type Hex } from '../eth/bytes';

/** A call without value that changes nothing. */
export type Read = { readonly to: Hex; readonly data: Hex };

/** The state of the chain at one block. Its methods throw if the node does not answer. */
export type ChainState = {
  readonly block: bigint;
  /** Unix time of the block, in seconds. */
  readonly time: bigint;
  /** @returns The results in the order of the calls; undefined for each that fails. */
  readonly calls: (reads: readonly Read[]) => Promise<readonly (Hex | undefined)[]>;
  /** @returns Whether a call of an account would revert; undefined if the node does not say. */
  readonly reverts: (from: Hex, call: Read) => Promise<boolean | undefined>;
  readonly code: (address: Hex) => Promise<Hex>;
  /** @returns The number of transactions that an account has sent. */
  readonly nonce: (address: Hex) => Promise<bigint>;
  readonly storage: (address: Hex, slot: Hex) => Promise<bigint>;
  /** @returns Unix time of a block, in seconds. */
  readonly timeOf: (block: bigint) => Promise<bigint>;
};
