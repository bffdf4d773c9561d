import type { IncomingMessage } from 'node:http';

import { INTERNAL_ERROR, RpcError, type RpcErrorObject } from './errors';
import { itemsOf, JsonText, membersOf, type Written } from './json-text';
import { type LongAnswer, LongAnswerReader, NestingError } from './long-answer';
import { UpstreamFailure } from './upstream-failure';

/** These statuses concern the operator's own account, so they are not passed on to callers. */
const OWN_ACCOUNT: ReadonlySet<number> = new Set([401, 402, 403, 407]);
/** With these statuses a JSON-RPC error is about the server's load, not about the request: another may answer it. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 503]);

/** Maximum nesting depth of forwarded results. A trace of calls 1024 deep, the maximum, has half as many levels. */
export const MAX_LEVELS = 4096;

/** Bytes of an answer above which it is not parsed in one piece, so that other requests are answered in between. */
const LONG_ANSWER = 256 << 10;

/** An answer that was read: a short one as text, a long one in pieces; undefined if that is not an object. */
export type NodeAnswer = { readonly status: number; readonly body: string | LongAnswer | undefined };

/** What an answer says, as far as it decides what becomes of it. */
type Said = { readonly id?: unknown; readonly error?: RpcError | undefined; readonly result?: Written | undefined };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Error codes are integers (JSON-RPC 2.0, section 5.1); an infinite one would be forwarded as null. */
const isCode = (value: unknown): value is number => Number.isSafeInteger(value);

function failedWith(status: number, answer?: RpcError): UpstreamFailure {
  return new UpstreamFailure('unreachable', `answered with HTTP status ${status}`, {
    isUnexecuted: OWN_ACCOUNT.has(status) || OVERLOADED.has(status),
    ...(answer && { answer }),
  });
}

/** @returns Why an answer with this status cannot be used, if it cannot be read. */
function unreadable(error: unknown, status: number): unknown {
  if (error instanceof NestingError)
    return new RpcError(INTERNAL_ERROR, "the network's response is nested too deeply", { status: 502, cause: error });
  if (!(error instanceof SyntaxError)) return error;
  if (status !== 200) return failedWith(status);
  return new UpstreamFailure('unreachable', 'sent a response that is not JSON', { cause: error });
}

async function readBody(
  response: IncomingMessage,
  limit: number,
  next: (() => Promise<void>) | undefined,
  room?: (bytes: number) => Promise<void> | undefined,
): Promise<NodeAnswer['body']> {
  const chunks: Buffer[] = [];
  let length = 0;
  let reader: LongAnswerReader | undefined;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit)
      throw new UpstreamFailure('unreachable', 'sent a response that is too large', { isFinal: true });
    chunks.push(chunk);
    if (next && length > LONG_ANSWER) {
      // One more than its result may have.
      reader ??= new LongAnswerReader(next, MAX_LEVELS + 1);
      for (const each of chunks.splice(0)) await reader.add(each);
    }
    await room?.(chunk.length);
  }
  return reader === undefined ? Buffer.concat(chunks).toString('utf8') : reader.finish();
}

/**
 * Reads the answer of a node or bundler.
 *
 * @param response - The answer.
 * @param limit - Bytes.
 * @param next - Resolves once the next piece of a long answer may be read; undefined to read any in one piece.
 * @param room - Told of each piece before the next one is read; absent for the service's own requests.
 * @throws {UpstreamFailure} If it is too large, or long and not JSON.
 * @throws {RpcError} 502 if it is long and nested too deeply.
 */
export async function readAnswer(
  response: IncomingMessage,
  limit: number,
  next: (() => Promise<void>) | undefined,
  room?: (bytes: number) => Promise<void> | undefined,
): Promise<NodeAnswer> {
  const { statusCode: status = 0 } = response;
  try {
    return { status, body: await readBody(response, limit, next, room) };
  } catch (error) {
    throw unreadable(error, status);
  }
}

/** @returns The error's `data`; undefined if there is none, or it is nested too deeply. */
function dataOf(body: string): JsonText | undefined {
  const error = membersOf(body).get('error');
  const data = error && membersOf(error.text).get('data');
  return data && data.levels <= MAX_LEVELS ? new JsonText(data.text) : undefined;
}

function errorOf(code: unknown, message: unknown, data: () => RpcErrorObject['data']): RpcError | undefined {
  return isCode(code) && typeof message === 'string' ? new RpcError(code, message, { data: data() }) : undefined;
}

/** @throws {SyntaxError} If it is not JSON. @throws {NestingError} If the result is nested too deeply. */
function saidIn(body: string): Said {
  const answer: unknown = JSON.parse(body);
  const { id, result, error } = isRecord(answer) ? answer : {};
  const own = isRecord(error) ? errorOf(error['code'], error['message'], () => dataOf(body)) : undefined;
  if (own !== undefined || result === undefined) return { id, error: own };
  const part = membersOf(body).get('result');
  if (part === undefined) return { id };
  if (part.levels > MAX_LEVELS) throw new NestingError(`more than ${MAX_LEVELS} levels`);
  return { id, result: { value: result, text: part.text } };
}

function saidInLong(answer: LongAnswer): Said {
  const data = () => (answer.has('error.data') ? answer.pieces('error.data') : undefined);
  return {
    id: answer.value('id'),
    error: errorOf(answer.value('error.code'), answer.value('error.message'), data),
    result: answer.has('result') ? answer.pieces('result') : undefined,
  };
}

/**
 * @param answer - The answer of a node or bundler.
 * @param asked - The ID of the request.
 * @returns The `result`.
 * @throws {RpcError} The other side's own error unchanged; 502 if the result is nested too deeply.
 * @throws {UpstreamFailure} If the answer does not follow JSON-RPC.
 */
export function resultIn({ status, body }: NodeAnswer, asked: number): Written {
  if (OWN_ACCOUNT.has(status)) throw failedWith(status);
  let said: Said = {};
  try {
    if (body !== undefined) said = typeof body === 'string' ? saidIn(body) : saidInLong(body);
  } catch (error) {
    throw unreadable(error, status);
  }
  const { id, error, result } = said;
  // Many servers use an error status and give the reason in the body.
  if (error !== undefined) throw OVERLOADED.has(status) ? failedWith(status, error) : error;
  if (status !== 200) throw failedWith(status);
  if (result === undefined) throw new UpstreamFailure('unreachable', 'sent a response that is not JSON-RPC');
  if (id !== asked) throw new UpstreamFailure('unreachable', 'sent the response to another request');
  return result;
}

/**
 * @param answer - The answer of a node to a batch, read in one piece.
 * @param asked - The IDs of the requests.
 * @returns The result of each request, or the node's own error.
 * @throws {UpstreamFailure} If it is not a batch of exactly the responses to these requests.
 */
export function resultsIn({ status, body }: NodeAnswer, asked: readonly number[]): (Written | RpcError)[] {
  if (status !== 200) throw failedWith(status);
  let said: Said[];
  try {
    const text = typeof body === 'string' ? body : '';
    if (!Array.isArray(JSON.parse(text)))
      throw new UpstreamFailure('unreachable', 'did not answer a batch of requests with a batch');
    said = itemsOf(text).map((part) => saidIn(part.text));
  } catch (error) {
    throw unreadable(error, status);
  }
  const byId = new Map(said.map((each) => [each.id, each]));
  return asked.map((id) => {
    const { error, result } = byId.get(id) ?? {};
    const answer = error ?? result;
    if (answer === undefined || said.length !== asked.length)
      throw new UpstreamFailure('unreachable', 'sent the responses to other requests');
    return answer;
  });
}
