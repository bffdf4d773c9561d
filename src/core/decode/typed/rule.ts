import { type Hex } from '../../eth/bytes';
import { type TypedData, type TypedDataTypes } from '../../eth/typed-data';
import { type Call, type Scene } from '../calls';
import { address, allowance, isUnlimited, leftOut, text } from '../lines';
import { isNever, utcTime } from '../time';
import { type Line } from '../types';

/** A struct of typed data that has been hashed: every member of its type is there, and fits. */
export type Struct = Readonly<Record<string, unknown>>;

/** What a rule may know besides the message. */
export type TypedScene = Scene & {
  /** The contract that the signature is for, where the domain names one. */
  readonly contract: Hex | undefined;
};

/** What a rule understood of a message. */
export type TypedReading = {
  readonly title: string;
  readonly lines: readonly Line[];
  /** The calls that the message allows. */
  readonly calls?: readonly Call[];
  /** The message that this one stands for, of the same types and for the same domain. */
  readonly contents?: Pick<TypedData, 'primaryType' | 'message'>;
};

export type TypedRule = {
  /** The message's type: encodeType of EIP-712, or a test where types come in many forms. */
  readonly type: string | ((types: TypedDataTypes, primaryType: string) => boolean);
  readonly read: (message: Struct, scene: TypedScene, types: TypedDataTypes, primaryType: string) => TypedReading;
};

export const uintOf = (struct: Struct, member: string): bigint => BigInt(struct[member] as string | number);
export const addressOf = (struct: Struct, member: string): Hex => struct[member] as Hex;
export const structOf = (struct: Struct, member: string): Struct => struct[member] as Struct;
export const listOf = (struct: Struct, member: string): readonly Struct[] => struct[member] as readonly Struct[];
/** The digits of bytes, in lower case and without 0x. */
export const digitsOf = (struct: Struct, member: string): string => (struct[member] as Hex).slice(2).toLowerCase();

/** Said of what a contract carries out for whoever hands the signature in. */
export const WITHOUT_TRANSACTION = text('Takes effect', 'with this signature, without a transaction of yours');

/** More entries of a list than these are counted. All of them are looked at. */
export const MAX_ENTRIES = 20;

/** The lines of a list, one or a few an entry, and how many entries there are no lines of. */
export function entryLines<Entry>(entries: readonly Entry[], linesOf: (entry: Entry) => readonly Line[]): Line[] {
  return [...entries.slice(0, MAX_ENTRIES).flatMap(linesOf), ...leftOut(entries.length - MAX_ENTRIES, 'item')];
}

/** The end of a permission, flagged where there is none. */
export function endLine(label: string, end: bigint, { view, findings }: Scene): Line {
  const never = isNever(end, view.now);
  if (never) findings.danger('never-expires');
  return text(label, never ? 'never' : utcTime(end));
}

/** The end of the time in which a signature can be used; what it allows may last longer. */
export const deadlineLine = (deadline: bigint, { view }: Scene): Line =>
  text('Usable until', isNever(deadline, view.now) ? 'always' : utcTime(deadline));

/** A permission to spend an amount, flagged where the amount has no limit. */
export function allowanceLine(amount: bigint, token: Hex | undefined, scene: Scene): Line {
  if (isUnlimited(amount)) scene.findings.danger('unlimited-approval');
  return text('Amount', token === undefined ? amount.toString() : allowance(amount, token, scene));
}

/** The contract of the domain, under the name of what it is to this message. */
export const contractLine = (label: string, contract: Hex | undefined): Line =>
  contract === undefined ? text(label, 'not named') : address(label, contract);
