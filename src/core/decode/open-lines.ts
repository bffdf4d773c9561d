import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

import { type Hex, toHex } from '../eth/bytes';
import { withoutAdvice } from './effects/verdict';
import { type Explanation } from './explanation';

/** The bytes of a line's hash: a line that differs must not be taken for one that was shown. */
export const LINE_HASH_BYTES = 16;

const hashOf = (line: unknown): Hex => toHex(keccak256(utf8ToBytes(JSON.stringify(line))).subarray(0, LINE_HASH_BYTES));

/** @returns A hash of each line on the open part of an explanation. */
export const openLines = (shown: Explanation): Hex[] =>
  [
    ...[shown.title, shown.network, shown.fee, shown.body?.isMessage === true ? shown.body : undefined],
    ...[...shown.dangers, ...shown.warnings, ...shown.changes, ...shown.main],
  ].flatMap((line) => (line === undefined ? [] : [hashOf(line)]));

/**
 * @param said - The hashes of the lines that an insight of the same request has shown.
 * @returns What is left to say: every danger, as the reason to ask again, and whatever was not shown.
 */
export function withoutSaid(shown: Explanation, said: readonly Hex[]): Explanation {
  const isNew = (line: unknown): boolean => !said.includes(hashOf(line));
  const { network, fee, body, ...rest } = shown;
  return {
    ...rest,
    dangers: shown.dangers.map((one) => (isNew(one) ? one : { ...one, text: withoutAdvice(one) })),
    warnings: shown.warnings.filter(isNew),
    changes: shown.changes.filter(isNew),
    main: shown.main.filter(isNew),
    ...(network !== undefined && isNew(network) && { network }),
    ...(fee !== undefined && isNew(fee) && { fee }),
    ...(body !== undefined && isNew(body) && { body }),
  };
}
