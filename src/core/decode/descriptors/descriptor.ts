import { type AbiParameter } from 'viem';

import { type Hex } from '../../eth/bytes';
import { type Path } from './path';

/**
 * One value of a call or message as an ERC-7730 descriptor wants it shown. References, constants and nested
 * groups of the descriptor's source are resolved when the snap is built (`scripts/contract-metadata`).
 */
export type Field = {
  readonly label: string;
  /** Absent for a fixed text. */
  readonly path?: Path;
  /** The fixed text, if there is no path. */
  readonly value?: string;
} & Format;

/** How the value is formatted. Paths and addresses are the parameters of ERC-7730. */
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

/** The description of a function, with its parameters. */
export type CallDescriptor = Description & { readonly inputs: readonly AbiParameter[] };

/** The description of a typed message (EIP-712). */
export type MessageDescriptor = Description & {
  /** Domain fields that must match, besides chain and contract. */
  readonly domain?: Readonly<Record<string, string>>;
};

/** The descriptors whose selectors or type hashes start with the same digit. Each shard is a file of the snap. */
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
