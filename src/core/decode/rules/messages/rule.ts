import { type Hex } from '../../../eth/bytes';
import { type TypedData, type TypedDataTypes } from '../../../eth/typed-data';
import { type Effect } from '../../effects/effect';
import { type Line } from '../../explanation';
import { type Scene } from '../../scene';
import { addressOr, text } from '../../words/lines';
import { endTime } from '../../words/time';
import { type ContractCall } from '../calls/rule';

/** A struct of typed data that was hashed before, so every member of its type is present and valid. */
export type Struct = Readonly<Record<string, unknown>>;

/** The context of a rule. */
export type TypedScene = Scene & {
  /** The domain's verifying contract, if it has one. */
  readonly contract: Hex | undefined;
};

/** A decoded message. */
export type TypedReading = {
  /** The kind of message in words, for its heading. */
  readonly title: string;
  readonly effects?: readonly Effect[];
  /** Values that the effects do not contain, in rows; `effects` are written first, unless `isListed`. */
  readonly lines?: readonly Line[];
  /** Rows for the open part of the screen. */
  readonly open?: readonly Line[];
  /** The lines contain the effects. */
  readonly isListed?: true;
  /** Words that somebody published about the message, in quotation marks, for the title of a screen. */
  readonly quotedAs?: string;
  /** The network fee in words, if the message decides it. */
  readonly fee?: string;
  /** The end of the signature, in seconds since 1970, if its contract is known to keep to it. */
  readonly until?: bigint | undefined;
  /** The calls that the message allows. */
  readonly calls?: readonly ContractCall[];
  /** The message that this one wraps, of the same types and for the same domain. */
  readonly contents?: Pick<TypedData, 'primaryType' | 'message'>;
};

/** A rule that decodes the messages of one type. */
export type TypedRule = {
  /** The message's type: encodeType of EIP-712, or a test for a type with variants. */
  readonly type: string | ((types: TypedDataTypes, primaryType: string) => boolean);
  readonly read: (message: Struct, scene: TypedScene, types: TypedDataTypes, primaryType: string) => TypedReading;
};

/** A member that is a number. */
export const uintOf = (struct: Struct, member: string): bigint => BigInt(struct[member] as string | number);
/** A member that is an address. */
export const addressOf = (struct: Struct, member: string): Hex => struct[member] as Hex;
/** A member that is a struct. */
export const structOf = (struct: Struct, member: string): Struct => struct[member] as Struct;
/** A member that is a list of structs. */
export const listOf = (struct: Struct, member: string): readonly Struct[] => struct[member] as readonly Struct[];
/** The digits of bytes, in lower case and without 0x. */
export const digitsOf = (struct: Struct, member: string): string => (struct[member] as Hex).slice(2).toLowerCase();

/** Shown where anyone can submit the signature for the contract to carry out. */
export const WITHOUT_TRANSACTION = text('Takes effect', 'with this signature alone, without a transaction from you');

/** The deadline for using a signature. What the signature allows may last longer. */
export const deadlineLine = (deadline: bigint, { view, findings }: Scene, label = 'Signature expires'): Line =>
  text(label, findings.signed.wrote(deadline, endTime(deadline, view.now)));

/** The contract of the domain, labelled by its role. */
export const contractLine = (label: string, contract: Hex | undefined): Line => addressOr(label, contract);
