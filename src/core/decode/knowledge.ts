import { type AbiParameter } from 'viem';

import { type Hex } from '../eth/bytes';
import { type Shard } from './descriptors/descriptor';
import { type Token } from './tokens';

/**
 * Something that is not known and could be looked up. An explanation never looks anything up itself: it says
 * what it wants, and is made again with what was found.
 */
export type Wanted =
  /** The part of the bundled descriptors that a selector, or the hash of a type, belongs to: its first digit. */
  | { readonly kind: 'shard'; readonly of: 'call' | 'message'; readonly digit: string }
  /** The bundled list of tokens. */
  | { readonly kind: 'tokens' }
  /** What the maker of a contract published about it. */
  | { readonly kind: 'contract'; readonly chainId: string; readonly address: Hex };

/** A function of a contract as its maker describes it: from the contract's verified metadata. */
export type DescribedFunction = {
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  /** NatSpec for people (`@notice`). */
  readonly notice?: string;
};

/** What was found out about a contract, or why nothing was. */
export type ContractFacts =
  | { readonly name?: string; readonly functions: Readonly<Record<string, DescribedFunction>> }
  /** The end of a sentence, in which a service may be quoted; absent where the contract names no metadata. */
  | { readonly failure?: string };

/** What was looked up for an explanation. What has no entry was not looked up. */
export type Knowledge = {
  /** By first digit; null where there is no such part, or it could not be read. */
  readonly shards: Readonly<Record<string, Shard | null>>;
  /** By "chain:address", lower case; null as above. */
  readonly tokens?: Readonly<Record<string, Token>> | null;
  /** By "chain:address", lower case. */
  readonly contracts: Readonly<Record<string, ContractFacts>>;
};

export const NOTHING_KNOWN: Knowledge = { shards: {}, contracts: {} };

/** How descriptors, tokens and contracts are found: by chain and address. */
export const placeOf = (chainId: bigint | string, address: Hex): string => `${chainId}:${address.toLowerCase()}`;

/** @returns An own entry, whatever a record's prototype has. */
export const entryOf = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
