import { constants } from 'node:buffer';

import type { Answer } from './caller';
import type { RpcError } from './errors';
import { errorJson, type IdText, resultJson } from './json-rpc';
import type { Json } from './json-text';

/** @returns The response to a request that failed. */
export const failed = (id: IdText, error: RpcError): Answer => ({
  body: errorJson(id, error.toJSON()),
  status: error.status,
  spent: error.status === 402,
  retryAfter: error.retryAfter,
});

/** The longest response, in characters: with its HTTP head it must fit in one string. */
const MAX_ANSWER = constants.MAX_STRING_LENGTH - 4096;

/** @throws {RangeError} If a response of this length cannot be sent. */
export function checkLength(characters: number): void {
  if (characters > MAX_ANSWER) throw new RangeError('a response is too long for one string');
}

/** @returns The response as JSON; undefined for a notification. */
export function bodyOf(id: IdText | undefined, result: unknown): Json | undefined {
  if (id === undefined) return undefined;
  const body = resultJson(id, result);
  checkLength(body.length);
  return body;
}
