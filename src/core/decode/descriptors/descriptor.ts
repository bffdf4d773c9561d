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
  /** The purpose of an address, according to the names of the parameter and the label. */
  readonly role?: Role;
  /** Values that are not shown (`ifNotIn`), written like the keys of an enum. */
  readonly unless?: readonly string[];
  /** The only values that the descriptor applies to (`mustMatch`). They are not shown. */
  readonly only?: readonly string[];
  /** Its list is shown entry by entry together with that of the field before it. */
  readonly joined?: true;
} & Format;

/** The role of an address: it gets something, or it may spend or act. */
export type Role = 'recipient' | 'spender';

/** A parameter of a format: where to find the value, the value itself, or a table and where to find its key. */
export type Parameter = Path | Hex | { readonly names: Readonly<Record<string, Hex>>; readonly key: Path };

/** The format of the value. Paths and addresses are the parameters of ERC-7730. */
export type Format =
  | { readonly as: 'raw' | 'amount' | 'date' | 'block' | 'duration' | 'literal' | 'chain' }
  | {
      readonly as: 'address';
      /** Its token's symbol is shown, too. */
      readonly isToken?: true;
      /** The zero address stands for whoever makes the call. */
      readonly isSender?: true;
    }
  | {
      readonly as: 'token';
      /** Default: the contract that is called. */
      readonly token?: Parameter;
      /** Addresses that mean the network's native coin; lower case. */
      readonly native?: readonly Hex[];
      /** From this number on, `message` is shown, too; decimal. */
      readonly threshold?: string;
      readonly message?: string;
      /** The token's chain, if it is another one than the call's. */
      readonly chain?: Path | Hex;
    }
  | { readonly as: 'nft'; readonly collection?: Parameter }
  | { readonly as: 'unit'; readonly base: string; readonly decimals?: number }
  | { readonly as: 'enum'; readonly names: Readonly<Record<string, string>> }
  | {
      readonly as: 'call';
      /** Default: the contract that is called. */
      readonly callee?: Parameter;
      readonly selector?: Parameter;
      readonly amount?: Path;
    };

/** The description of one function or message. */
type Description = {
  /** The index of its contracts in the shard. */
  readonly at: number;
  /** The publisher. */
  readonly owner: string;
  readonly intent: string;
  /** The intent with values in it (`interpolatedIntent`): texts, and indexes of fields. */
  readonly sentence?: readonly (string | number)[];
  readonly fields: readonly Field[];
  /** The number of values of the ABI or the type that no field shows, or only in part. A list counts as one. */
  readonly hidden: number;
  /** Whether its name says that it gives a permission. */
  readonly allows?: true;
};

/** The description of a function, with its parameters. */
export type CallDescriptor = Description & { readonly inputs: readonly AbiParameter[] };

/** The description of a typed message (EIP-712). Without contracts, it fits any contract of our rules. */
export type MessageDescriptor = Description & {
  /** Domain fields that must match, besides chain and contract. */
  readonly domain?: Readonly<Record<string, string>>;
};

/** The descriptors whose selectors or type hashes start with the same digit. Each shard is a file of the snap. */
export type Shard = {
  /** Lists of "chain:address", lower case. */
  readonly contracts: readonly (readonly string[])[];
  /** By selector, 8 digits. */
  readonly calls: Readonly<Record<string, readonly CallDescriptor[]>>;
  /** By the first 8 digits of the hash of encodeType (EIP-712). */
  readonly messages: Readonly<Record<string, readonly MessageDescriptor[]>>;
  /** Function names by selector. They are guesses, since a contract can use a name for anything. */
  readonly guesses: Readonly<Record<string, string>>;
};
