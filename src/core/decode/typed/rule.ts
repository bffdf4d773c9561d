import { type Hex } from '../../eth/bytes';
import { type TypedData, type TypedDataTypes } from '../../eth/typed-data';
import { type Call, type Scene } from '../calls';
import { address, allowance, isUnlimited, leftOut, text } from '../lines';
import { type Approval, unlimitedApproval } from '../sentences';
import { isNever, utcTime } from '../time';
import { type Line } from '../types';

/** A struct of typed data that was hashed before, so every member of its type is present and valid. */
export type Struct = Readonly<Record<string, unknown>>;

/** The context of a rule. */
export type TypedScene = Scene & {
  /** The domain's verifying contract, if it has one. */
  readonly contract: Hex | undefined;
};

/** A decoded message. */
export type TypedReading = {
  readonly title: string;
  /** One sentence on what it does, if there is a better one than the title. */
  readonly summary?: string;
  readonly lines: readonly Line[];
  /** The calls that the message allows. */
  readonly calls?: readonly Call[];
  /** The message that this one wraps, of the same types and for the same domain. */
  readonly contents?: Pick<TypedData, 'primaryType' | 'message'>;
};

/** How the messages of one type are decoded. */
export type TypedRule = {
  /** The message's type: encodeType of EIP-712, or a test for a type with variants. */
  readonly type: string | ((types: TypedDataTypes, primaryType: string) => boolean);
  readonly read: (message: Struct, scene: TypedScene, types: TypedDataTypes, primaryType: string) => TypedReading;
};

export const uintOf = (struct: Struct, member: string): bigint => BigInt(struct[member] as string | number);
export const addressOf = (struct: Struct, member: string): Hex => struct[member] as Hex;
export const structOf = (struct: Struct, member: string): Struct => struct[member] as Struct;
export const listOf = (struct: Struct, member: string): readonly Struct[] => struct[member] as readonly Struct[];
/** The digits of bytes, in lower case and without 0x. */
export const digitsOf = (struct: Struct, member: string): string => (struct[member] as Hex).slice(2).toLowerCase();

/** Shown where anyone can submit the signature for the contract to carry out. */
export const WITHOUT_TRANSACTION = text('Takes effect', 'with this signature alone, without a transaction from you');

/** A list shows no more entries. Further ones are counted, but checked for dangers all the same. */
export const MAX_ENTRIES = 20;

/** The lines of a list's first entries, and how many entries follow them. */
export function entryLines<Entry>(entries: readonly Entry[], linesOf: (entry: Entry) => readonly Line[]): Line[] {
  return [...entries.slice(0, MAX_ENTRIES).flatMap(linesOf), ...leftOut(entries.length - MAX_ENTRIES, 'item')];
}

/**
 * The end of a permission or signature, flagged if it is too far away.
 *
 * @param sentence - The danger's sentence, where it is not about a permission.
 */
export function endLine(label: string, end: bigint, { view, findings }: Scene, sentence?: () => string): Line {
  const never = isNever(end, view.now);
  if (never) findings.danger('never-expires', sentence);
  return text(label, never ? 'never' : utcTime(end));
}

/** The deadline for using a signature. What the signature allows may last longer. */
export const deadlineLine = (deadline: bigint, { view }: Scene, label = 'Signature expires'): Line =>
  text(label, isNever(deadline, view.now) ? 'never' : utcTime(deadline));

/** @param end - When the approval ends, in seconds since 1970; undefined if it does not end. */
export function flagUnlimited(amount: bigint, approval: Approval, scene: Scene, end?: bigint): void {
  if (isUnlimited(amount)) scene.findings.danger('unlimited-approval', () => unlimitedApproval(approval, scene, end));
}

/** The amount of an approval that does not end, flagged if it is unlimited. */
export function allowanceLine(amount: bigint, approval: Approval, scene: Scene): Line {
  const { token } = approval;
  flagUnlimited(amount, approval, scene);
  return text('Amount', token === undefined ? amount.toString() : allowance(amount, token, scene));
}

/** The contract of the domain, labelled by its role. */
export const contractLine = (label: string, contract: Hex | undefined): Line =>
  contract === undefined ? text(label, 'not named') : address(label, contract);
