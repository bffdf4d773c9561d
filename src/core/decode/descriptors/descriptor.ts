import { type AbiParameter } from 'viem';

import { type Hex } from '../../eth/bytes';
import { type Path } from './path';

/**
 * One value of a call or message as an ERC-7730 descriptor wants it shown. References, constants and nested
 * groups of the descriptor's source are resolved when the snap is built (`scripts/knowledge`).
 */
export type Field = {
  readonly label: string;
  /** Absent for a text of the descriptor's own. */
  readonly path?: Path;
  /** The text, where there is no path. */
  readonly value?: string;
} & Format;

/** How the value is written. Paths and addresses are what ERC-7730 calls parameters. */
export type Format =
  | { readonly as: 'raw' | 'amount' | 'address' | 'date' | 'block' | 'duration' | 'literal' }
  | {
      readonly as: 'token';
      /** Absent: the contract that is called. */
      readonly token?: Path | Hex;
      /** Addresses that stand for the chain's own coin; lower case. */
      readonly native?: readonly Hex[];
      /** From this number on, `message` is said too; decimal. */
      readonly threshold?: string;
      readonly message?: string;
    }
  | { readonly as: 'nft'; readonly collection?: Path | Hex }
  | { readonly as: 'unit'; readonly base: string; readonly decimals?: number }
  | { readonly as: 'enum'; readonly names: Readonly<Record<string, string>> }
  | {
      readonly as: 'call';
      /** Absent: the contract that is called. */
      readonly callee?: Path | Hex;
      readonly selector?: Path | Hex;
      readonly amount?: Path;
    };

/** What a descriptor says of one function or message. */
type Description = {
  /** Which of the shard's places it is for. */
  readonly at: number;
  /** Who published it. */
  readonly owner: string;
  readonly intent: string;
  readonly fields: readonly Field[];
  /** How many values it says nothing about, or hides. */
  readonly hidden: number;
};

export type CallDescriptor = Description & { readonly inputs: readonly AbiParameter[] };

export type MessageDescriptor = Description & {
  /** What the domain must have, besides the place. */
  readonly domain?: Readonly<Record<string, string>>;
};

/** A part of all descriptors: those of selectors and type hashes with one first digit. It is one file of the snap. */
export type Shard = {
  /** Lists of "chain:address", lower case. */
  readonly places: readonly (readonly string[])[];
  /** By selector, 8 digits. */
  readonly calls: Readonly<Record<string, readonly CallDescriptor[]>>;
  /** By the first 8 digits of the hash of encodeType (EIP-712). */
  readonly messages: Readonly<Record<string, readonly MessageDescriptor[]>>;
  /** Names of functions by selector: anybody may use them for anything. */
  readonly guesses: Readonly<Record<string, string>>;
};
