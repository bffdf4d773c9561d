import { encodeAbiParameters } from 'viem/utils';

import { ServiceFailedError, ServiceRefusedError } from '../../errors';
import { type AbiType, decode, type ValuesOf } from '../../eth/abi';
import { type Hex, lowerCase } from '../../eth/bytes';
import { BytesStruct } from '../../structs/hex';
import { type Checker } from '../../structs/struct';

/** Asks a node. The node client is one. */
export type NodeReader = {
  readonly ask: <T>(method: string, params: readonly unknown[], result: Checker<T>) => Promise<T>;
};

/** A node, and the block that all answers are for: a number in hex, or `latest`. */
export type ReadAt = { readonly node: NodeReader; readonly block: Hex | 'latest' };

/** What a view function returns, and what its answer is called in error messages. */
export type Question<Types extends readonly AbiType<unknown>[]> = {
  readonly returns: Types;
  /** It returns one struct with these members, which is dynamic: its offset comes first. */
  readonly isStruct?: true;
  readonly field: string;
};

/**
 * An answer with more words is refused. Guardians can begin a recovery with more owners than anyone needs, which must
 * be noticed too: each costs them more than 20,000 gas, so no network stores this many at once.
 */
const MAX_WORDS = 30_000;

/** The node answered, but not what the contract that is asked would have answered. */
export class WrongAnswerError extends ServiceFailedError {}

/** The node answered nothing: there is no contract, or none with the function. */
export class EmptyAnswerError extends WrongAnswerError {}

/** @returns Whether the contract did not answer as the one that was asked would. Nodes refuse for other reasons too. */
export const isOtherContract = (error: unknown): boolean =>
  error instanceof WrongAnswerError ||
  (error instanceof ServiceRefusedError && (error.error.code === 3 || /revert/iu.test(error.error.message)));

const sentence = (field: string, rule: string): string => `${field}: ${rule}. The node answered something else.`;

/** @returns The error for an answer that breaks a rule. It names the field and the rule. */
export const wrongAnswer = (field: string, rule: string): WrongAnswerError =>
  new WrongAnswerError(sentence(field, rule));

/** @throws {WrongAnswerError} Names the field and the rule. */
export function assertAnswer(holds: boolean, field: string, rule: string): void {
  if (!holds) throw wrongAnswer(field, rule);
}

/** @returns The call data of a function whose arguments take one word each: addresses, or numbers in hex. */
export const wordsCall = (selector: Hex, ...args: readonly Hex[]): Hex =>
  `${selector}${args.map((arg) => lowerCase(arg).slice(2).padStart(64, '0')).join('')}`;

/** The types are no words for people. */
const RULE = 'must be an answer that the contract can give';

/** Where the only value of an answer begins. */
const OFFSET = '20'.padStart(64, '0');

/** Encodes values as the ABI does. The names of our types are those of the ABI. */
const encoded = (types: readonly AbiType<unknown>[], values: readonly unknown[]): string =>
  encodeAbiParameters(
    types.map(({ name }) => ({ type: name })),
    values,
  ).slice(2);

/**
 * Calls a view function of a contract.
 *
 * @throws {WrongAnswerError} If the answer is not exactly the ABI encoding of the types: one that has more bytes, or
 * its parts elsewhere, is no contract's. An {@link EmptyAnswerError} if it is empty.
 * @throws {ServiceRefusedError} If the call reverts.
 */
export async function askContract<const Types extends readonly AbiType<unknown>[]>(
  contract: Hex,
  data: Hex,
  { returns, isStruct, field }: Question<Types>,
  { node, block }: ReadAt,
): Promise<ValuesOf<Types>> {
  const answer = lowerCase(await node.ask('eth_call', [{ to: contract, data }, block], BytesStruct)).slice(2);
  if (answer === '') throw new EmptyAnswerError(sentence(field, RULE));
  const before = isStruct === true ? OFFSET : '';
  const decoded = decode(returns, answer.slice(before.length), { words: MAX_WORDS });
  if ('misfit' in decoded || `${before}${encoded(returns, decoded.values)}` !== answer) throw wrongAnswer(field, RULE);
  return decoded.values;
}
