import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { NoRoomError } from '../runtime/answer-memory';
import { errorCode } from '../runtime/error-code';
import type { EndpointConfig } from './config';
import { outOfTime } from './deadline';
import { INTERNAL_ERROR, RpcError, unavailable } from './errors';
import { JsonText, membersOf, type Part, type Written } from './json-text';
import { UpstreamFailure } from './upstream-failure';

export type UpstreamObserver = (outcome: 'ok' | 'error' | 'timeout' | 'unreachable', seconds: number) => void;

/**
 * Counts bytes of an answer, and waits until there is room for them in memory.
 *
 * @throws {RpcError} If there will be none.
 */
export type AnswerRoom = (bytes: number, signal: AbortSignal) => Promise<void> | undefined;

type Room = (bytes: number) => Promise<void> | undefined;

type Reply = { status: number; body: string };

/** These statuses concern the operator's own account, so they are not passed on to callers. */
const OWN_ACCOUNT: ReadonlySet<number> = new Set([401, 402, 403, 407]);
/** With these statuses a JSON-RPC error is about the server's load, not about the request: another may answer it. */
const OVERLOADED: ReadonlySet<number> = new Set([429, 503]);

/** Maximum nesting depth of forwarded results. A trace of calls 1024 deep, the maximum, has half as many levels. */
export const MAX_LEVELS = 4096;

/** Characters of an answer whose steps are made in several turns, so that other requests are answered in between. */
const LONG_ANSWER = 256 << 10;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Error codes are integers (JSON-RPC 2.0, section 5.1); an infinite one would be forwarded as null. */
const isCode = (value: unknown): value is number => Number.isSafeInteger(value);

/** @param room - Told of each piece before the next one is read; absent for the service's own requests. */
async function readBody(response: IncomingMessage, limit: number, room?: Room): Promise<string> {
  // Decoded as they come, so that no step takes as long as the whole answer.
  const decoder = new StringDecoder('utf8');
  let text = '';
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit)
      throw new UpstreamFailure('unreachable', 'sent a response that is too large', { isFinal: true });
    text += decoder.write(chunk);
    await room?.(chunk.length);
  }
  return text + decoder.end();
}

/** @returns The error's `data`; undefined if there is none, or it is nested too deeply. */
function dataOf(body: string): JsonText | undefined {
  const error = membersOf(body).get('error');
  const data = error && membersOf(error.text).get('data');
  return data && data.levels <= MAX_LEVELS ? new JsonText(data.text) : undefined;
}

/** The node has answered: it is not at fault. */
function refuseForRoom(error: unknown): never {
  if (!(error instanceof NoRoomError)) throw error;
  throw unavailable('the answers of this key that are not read yet leave no room for this one', error);
}

/** Whether anything of a request can have arrived. */
type Attempt = { isConnected: boolean };

/** The other side may have closed an idle connection just as it was reused. */
const wasStale = (request: ClientRequest, error: unknown) => request.reusedSocket && errorCode(error) === 'ECONNRESET';

/** A JSON-RPC server that requests are forwarded to: a node or a bundler. Connections are kept and reused. */
export class Upstream {
  readonly #what: string;
  readonly #config: EndpointConfig;
  readonly #url: URL;
  readonly #agent: http.Agent;
  readonly #observe: UpstreamObserver;
  #id = 0;
  #closed = false;

  /**
   * @param what - `node` or `bundler`, for error messages.
   * @param config - Address and limits.
   * @param observe - Called for every request.
   */
  constructor(what: string, config: EndpointConfig, observe: UpstreamObserver) {
    this.#what = what;
    this.#config = config;
    this.#url = new URL(config.url);
    const Agent = this.#url.protocol === 'https:' ? https.Agent : http.Agent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: config.connections });
    this.#observe = observe;
  }

  /**
   * Sends one request.
   *
   * @param method - Name of the method.
   * @param params - JSON of an array or object.
   * @param deadline - When to give up, in milliseconds of `performance.now`, if that is before the endpoint's own
   * limit.
   * @param room - For the answer.
   * @returns The `result`.
   * @throws {RpcError} The other side's own error unchanged; 502 if it is unreachable, 504 if it takes too long.
   */
  async call(method: string, params: string, deadline = Infinity, room?: AnswerRoom): Promise<Written> {
    try {
      return await this.ask(method, params, deadline, room);
    } catch (error) {
      throw error instanceof UpstreamFailure ? error.toRpcError(this.#what) : error;
    }
  }

  /** Like {@link call}, but throws the failure itself: another server may be able to answer. */
  async ask(method: string, params: string, deadline = Infinity, room?: AnswerRoom): Promise<Written> {
    const started = performance.now();
    const observe = (outcome: Parameters<UpstreamObserver>[0]) => {
      this.#observe(outcome, (performance.now() - started) / 1000);
    };
    const { timeoutMs } = this.#config;
    const left = Math.floor(deadline - started);
    if (left <= 0) throw outOfTime({ isUnexecuted: true });
    try {
      const result = await this.request(method, params, Math.min(timeoutMs, left), room);
      observe('ok');
      return result;
    } catch (error) {
      if (error instanceof RpcError) observe('error');
      if (!(error instanceof UpstreamFailure)) throw error;
      observe(error.answer ? 'error' : error.outcome);
      const { outcome, isUnexecuted } = error;
      throw outcome === 'timeout' && left < timeoutMs ? outOfTime({ isUnexecuted, cause: error }) : error;
    }
  }

  /** Like {@link ask}, within another time, and without counting the request. */
  async request(method: string, params: string, timeoutMs: number, room?: AnswerRoom): Promise<Written> {
    const id = ++this.#id;
    const body = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`;
    return await this.#read(id, await this.#post(body, timeoutMs, room));
  }

  async #read(asked: number, { status, body }: Reply): Promise<Written> {
    const isLong = body.length > LONG_ANSWER;
    if (isLong) await nextTurn();
    const isUnexecuted = OWN_ACCOUNT.has(status) || OVERLOADED.has(status);
    const failed = (answer?: RpcError) =>
      new UpstreamFailure('unreachable', `answered with HTTP status ${status}`, {
        isUnexecuted,
        ...(answer && { answer }),
      });
    if (OWN_ACCOUNT.has(status)) throw failed();
    let answer: unknown;
    try {
      answer = JSON.parse(body);
    } catch (error) {
      if (status !== 200) throw failed();
      throw new UpstreamFailure('unreachable', 'sent a response that is not JSON', { cause: error });
    }
    if (isLong) await nextTurn();
    const { id, result, error } = isRecord(answer) ? answer : {};
    // Many servers use an error status and give the reason in the body.
    if (isRecord(error) && isCode(error['code']) && typeof error['message'] === 'string') {
      const own = new RpcError(error['code'], error['message'], { data: dataOf(body) });
      throw OVERLOADED.has(status) ? failed(own) : own;
    }
    if (status !== 200) throw failed();
    if (result === undefined) throw new UpstreamFailure('unreachable', 'sent a response that is not JSON-RPC');
    if (id !== asked) throw new UpstreamFailure('unreachable', 'sent the response to another request');
    const { text, levels } = membersOf(body).get('result') as Part;
    if (isLong) await nextTurn();
    if (levels > MAX_LEVELS)
      throw new RpcError(INTERNAL_ERROR, "the network's response is nested too deeply", { status: 502 });
    return { value: result, text };
  }

  async #post(request: string, timeoutMs: number, room?: AnswerRoom): Promise<Reply> {
    const body = Buffer.from(request);
    const signal = AbortSignal.timeout(timeoutMs);
    const attempt: Attempt = { isConnected: false };
    try {
      const response = await this.#send(body, signal, attempt, true);
      const counted = room && ((bytes: number) => room(bytes, signal)?.catch(refuseForRoom));
      return { status: response.statusCode ?? 0, body: await readBody(response, this.#config.answerBytes, counted) };
    } catch (error) {
      if (error instanceof UpstreamFailure || error instanceof RpcError) throw error;
      if (signal.aborted) {
        const isUnexecuted = !attempt.isConnected;
        throw new UpstreamFailure('timeout', 'took too long to answer', { cause: error, isUnexecuted });
      }
      throw new UpstreamFailure('unreachable', 'cannot be reached', {
        cause: error,
        isUnexecuted: !attempt.isConnected,
      });
    }
  }

  #send(body: Buffer, signal: AbortSignal, attempt: Attempt, mayRetry: boolean): Promise<IncomingMessage> {
    const { request: open } = this.#url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      const request = open(this.#url, {
        method: 'POST',
        agent: this.#agent,
        signal,
        headers: { ...this.#config.headers, 'content-type': 'application/json', 'content-length': body.length },
      });
      request.on('socket', (socket) => {
        const connected = () => (attempt.isConnected = true);
        if (socket.connecting) socket.once('connect', connected);
        else connected();
      });
      request.on('response', resolve);
      request.on('error', (error) => {
        if (mayRetry && !this.#closed && wasStale(request, error)) resolve(this.#send(body, signal, attempt, false));
        else reject(error);
      });
      request.end(body);
    });
  }

  /** Closes the connections; requests in progress fail. */
  close(): void {
    this.#closed = true;
    this.#agent.destroy();
  }
}
