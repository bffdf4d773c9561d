import { type AbiParameter } from 'viem';

import { type Hex } from '../../eth/bytes';
import { type Shard } from '../descriptors/descriptor';
import { type DeclaredAsset, type DeclaredToken } from '../effects/outcome';

/** A token's symbol, and how many decimals its amounts have. */
export type Token = { readonly symbol: string; readonly decimals: number };

/** A token as screens know it: by Keystead's own list, or by what its contract says. */
export type KnownToken = DeclaredToken & { readonly isDeclared: boolean };

/**
 * Something that could be looked up. Decoding does no lookups itself: it returns what it wants, and runs again with the
 * results.
 */
export type Lookup =
  /** A part of the bundled descriptors: those whose selector or type hash starts with this digit. */
  | { readonly kind: 'shard'; readonly of: 'call' | 'message' | 'beside'; readonly digit: string }
  /** The bundled list of tokens. */
  | {
      readonly kind: 'tokens';
      /** A danger depends on it. */
      readonly decides?: true;
    }
  /** The statement of an asset's contract about itself: its symbol, decimals and supply, or that it is a collection. */
  | { readonly kind: 'token'; readonly chainId: string; readonly address: Hex }
  /** The name of a collection of NFTs. */
  | { readonly kind: 'collection'; readonly chainId: string; readonly address: Hex }
  /** The metadata that a contract's developer published. */
  | { readonly kind: 'contract'; readonly chainId: string; readonly address: Hex };

/** A function as the contract's verified metadata describes it. */
export type DescribedFunction = {
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  /** NatSpec for end users (`@notice`). */
  readonly notice?: string;
};

/** A contract's metadata, or why there is none. */
export type ContractFacts =
  | { readonly name?: string; readonly functions: Readonly<Record<string, DescribedFunction>> }
  /** The reason, which may quote a service; absent if the contract names no metadata. */
  | { readonly failure?: string };

/** The results of lookups. Anything without an entry was not looked up. */
export type ContractMetadata = {
  /** By first digit; null if there is no such part, or reading it failed. */
  readonly shards: Readonly<Record<string, Shard | null>>;
  /** By "chain:address", lower case; null as above. */
  readonly tokens?: Readonly<Record<string, Token>> | null;
  /**
   * The statements of the contracts of assets about themselves, by "chain:address", lower case; null if a contract says
   * nothing.
   */
  readonly declared?: Readonly<Record<string, DeclaredAsset | null>>;
  /** The names that collections of NFTs give themselves, as above. */
  readonly collections?: Readonly<Record<string, string | null>>;
  /** By "chain:address", lower case. */
  readonly contracts: Readonly<Record<string, ContractFacts>>;
};

export const NO_METADATA: ContractMetadata = { shards: {}, contracts: {} };

/** The key of descriptors, tokens and contracts: chain and address. */
export const contractKey = (chainId: bigint | string, address: Hex): string => `${chainId}:${address.toLowerCase()}`;

/** @returns The record's own entry, never one of its prototype. */
export const entryOf = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
