import { type AbiParameter } from 'viem';

import { type Hex } from '../../eth/bytes';
import { type Path } from './path';

/**
 * One value of a call or message as an ERC-7730 descriptor wants it shown. References, constants and nested
 * groups of the descriptor's source are resolved when the snap is built (`scripts/contract-metadata`).
 *
 * @example
 * ```ts
 * const amount: Field = { label: 'Amount', path: ['value'], as: 'token' };
 * const network: Field = { label: 'Network', value: 'Ethereum', as: 'raw' };
 * ```
 */
export type Field = {
  readonly label: string;
  /** Absent for a fixed text. */
  readonly path?: Path;
  /** The fixed text, if there is no path. */
  readonly value?: string;
} & Format;

/**
 * How the value is formatted. Paths and addresses are the parameters of ERC-7730.
 *
 * @example
 * ```ts
 * const minutes: Format = { as: 'unit', base: 'min', decimals: 0 };
 * const side: Format = { as: 'enum', names: { 0: 'Buy', 1: 'Sell' } };
 * ```
 */
export type Format =
  | { readonly as: 'raw' | 'amount' | 'address' | 'date' | 'block' | 'duration' | 'literal' }
  | {
      readonly as: 'token';
      /** Default: the contract that is called. */
      readonly token?: Path | Hex;
      /** Addresses that mean the network's native coin; lower case. */
      readonly native?: readonly Hex[];
      /** From this number on, `message` is shown too; decimal. */
      readonly threshold?: string;
      readonly message?: string;
    }
  | { readonly as: 'nft'; readonly collection?: Path | Hex }
  | { readonly as: 'unit'; readonly base: string; readonly decimals?: number }
  | { readonly as: 'enum'; readonly names: Readonly<Record<string, string>> }
  | {
      readonly as: 'call';
      /** Default: the contract that is called. */
      readonly callee?: Path | Hex;
      readonly selector?: Path | Hex;
      readonly amount?: Path;
    };

/** The description of one function or message. */
type Description = {
  /** The index of its places in the shard. */
  readonly at: number;
  /** Who published it. */
  readonly owner: string;
  readonly intent: string;
  readonly fields: readonly Field[];
  /** How many values it omits or hides. */
  readonly hidden: number;
};

/**
 * The description of a function, with its parameters.
 *
 * @example
 * ```ts
 * const transfer: CallDescriptor = {
 *   at: 0, owner: 'Circle', intent: 'Send', hidden: 0, inputs: [{ type: 'address' }, { type: 'uint256' }],
 *   fields: [{ label: 'To', path: [0], as: 'address' }, { label: 'Amount', path: [1], as: 'token' }] };
 * ```
 */
export type CallDescriptor = Description & { readonly inputs: readonly AbiParameter[] };

/**
 * The description of a typed message (EIP-712).
 *
 * @example
 * ```ts
 * const permit: MessageDescriptor = {
 *   at: 0, owner: 'Circle', intent: 'Authorize spending', hidden: 3, domain: { name: 'USD Coin' },
 *   fields: [{ label: 'Spender', path: ['spender'], as: 'address' }] };
 * ```
 */
export type MessageDescriptor = Description & {
  /** Domain fields that must match, besides chain and contract. */
  readonly domain?: Readonly<Record<string, string>>;
};

/**
 * The descriptors whose selectors or type hashes start with the same digit. Each shard is a file of the snap.
 *
 * @example
 * ```ts
 * const shard: Shard = {
 *   places: [['1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48']],
 *   calls: { a9059cbb: [{ at: 0, owner: 'Circle', intent: 'Send', hidden: 0, inputs: [], fields: [] }] },
 *   messages: {}, guesses: { a22cb465: 'setApprovalForAll' } };
 * ```
 */
export type Shard = {
  /** Lists of "chain:address", lower case. */
  readonly places: readonly (readonly string[])[];
  /** By selector, 8 digits. */
  readonly calls: Readonly<Record<string, readonly CallDescriptor[]>>;
  /** By the first 8 digits of the hash of encodeType (EIP-712). */
  readonly messages: Readonly<Record<string, readonly MessageDescriptor[]>>;
  /** Function names by selector. They are guesses, since a contract can use a name for anything. */
  readonly guesses: Readonly<Record<string, string>>;
};
