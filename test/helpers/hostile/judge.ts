import { type Json } from '@metamask/snaps-sdk';

import { dangerText } from '../../../src/core/decode/dangers';
import { type Must } from './case';
import { type Outcome } from './outcome';

const INVALID_PARAMS = -32602;
/** Typical messages of engines and libraries, which must never appear in our errors. */
const ACCIDENT = /undefined|\[object|is not a function|Cannot |Invalid |Unexpected |BigInt|superstruct|NaN/u;

/** Long hex values of the request. An error must not repeat them, because they may be secret. */
const valuesIn = (params: unknown): string[] => JSON.stringify(params ?? null).match(/[0-9a-fA-F]{44,}/gu) ?? [];

/** The request was rejected with a readable error, before any dialog. */
function expectRefusal({ error, result, screens }: Outcome, must: NonNullable<Must['refuse']>, params: unknown): void {
  const { field, rule, code = INVALID_PARAMS } = must;
  expect({ result, screens }).toEqual({ result: undefined, screens: [] });
  expect(error).toMatchObject({ code });
  const { message = '', data } = error ?? {};
  expect(message.startsWith(`${field}: `) ? '' : message).toBe('');
  expect(message.slice(field.length + 2)).toMatch(rule);
  expect(message).not.toMatch(ACCIDENT);
  expect(message.length).toBeLessThan(300);
  for (const value of valuesIn(params)) expect(message).not.toContain(value.slice(0, 44));
  if (code === INVALID_PARAMS) expect(data).toMatchObject({ code: 'invalid-params', field });
}

/** @returns The text that must be on a screen. */
export const wordsOf = (warn: NonNullable<Must['warn']>): string =>
  typeof warn === 'string' ? dangerText(warn) : warn.says;

/**
 * Compares the outcome of a request with the required one.
 *
 * @param expected - The signature of an independent library.
 * @param shown - Everything shown to the user, by us or on MetaMask's own confirmation.
 */
export async function judge(
  outcome: Outcome,
  must: Must,
  params: unknown,
  expected: () => Json | Promise<Json>,
  shown: () => Promise<string>,
): Promise<void> {
  if (must.refuse !== undefined) {
    expectRefusal(outcome, must.refuse, params);
    return;
  }
  expect(outcome.error).toBeUndefined();
  expect(outcome.result).toEqual(await expected());
  if (must.warn !== undefined) expect(await shown()).toContain(wordsOf(must.warn));
}
