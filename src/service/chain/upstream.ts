import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { NoRoomError } from '../admission/held';
import { errorCode } from '../runtime/error-code';
import type { EndpointConfig } from './config';
import { outOfTime } from './deadline';
import { RpcError, unavailable } from './errors';
import type { Written } from './json-text';
import { type NodeAnswer, readAnswer, resultIn, resultsIn } from './node-answer';
import { UpstreamFailure } from './upstream-failure';

export type UpstreamObserver = (outcome: 'ok' | 'error' | 'timeout' | 'unreachable', seconds: number) => void;

/** What an answer is charged to. */
export type AnswerRoom = {
  /**
   * Counts bytes of the answer, and waits until there is room for them in memory.
   *
   * @throws {RpcError} If there will be none.
   */
  readonly charge: (bytes: number, signal: AbortSignal) => Promise<void> | undefined;
  /** Resolves once the next piece of a long answer may be read. */
  readonly next: () => Promise<void>;
};

/** The node has answered: it is not at fault. */
function refuseForRoom(error: unknown): never {
  if (!(error instanceof NoRoomError)) throw error;
  throw unavailable('the answers of this key that are not read yet leave no room for this one', error);
}

/** Whether anything of a request can have arrived. */
type Attempt = { isConnected: boolean };

/** Bytes of the answer to a batch. The service sends batches for uncles, of which a block has two. */
const BATCH_BYTES = 1 << 20;

const requestText = (id: number, method: string, params: string) =>
  `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`;

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
    return this.#timed(deadline, (timeoutMs) => this.request(method, params, timeoutMs, room));
  }

  /**
   * Sends several requests for one method as one batch (JSON-RPC 2.0, section 6).
   *
   * @param method - Name of the method.
   * @param params - JSON of the parameters of each request.
   * @param deadline - When to give up, in milliseconds of `performance.now`.
   * @returns The result of each request, or the other side's own error, in the order of the requests.
   * @throws {UpstreamFailure} If the answer is not a batch of the responses to these requests.
   */
  async askAll(method: string, params: readonly string[], deadline = Infinity): Promise<(Written | RpcError)[]> {
    return this.#timed(deadline, async (timeoutMs) => {
      const ids = params.map(() => ++this.#id);
      const bodies = params.map((each, i) => requestText(ids[i] as number, method, each));
      return resultsIn(await this.#post(`[${bodies.join(',')}]`, timeoutMs, undefined, BATCH_BYTES), ids);
    });
  }

  /** Sends within the deadline and the endpoint's own limit, and counts the request. */
  async #timed<Result>(deadline: number, send: (timeoutMs: number) => Promise<Result>): Promise<Result> {
    const started = performance.now();
    const observe = (outcome: Parameters<UpstreamObserver>[0]) => {
      this.#observe(outcome, (performance.now() - started) / 1000);
    };
    const { timeoutMs } = this.#config;
    const left = Math.floor(deadline - started);
    if (left <= 0) throw outOfTime({ isUnexecuted: true });
    try {
      const result = await send(Math.min(timeoutMs, left));
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
    return resultIn(await this.#post(requestText(id, method, params), timeoutMs, room), id);
  }

  /** @param whole - Bytes of an answer that is read in one piece; absent for one that may be longer. */
  async #post(request: string, timeoutMs: number, room?: AnswerRoom, whole?: number): Promise<NodeAnswer> {
    const body = Buffer.from(request);
    const signal = AbortSignal.timeout(timeoutMs);
    const attempt: Attempt = { isConnected: false };
    try {
      const response = await this.#send(body, signal, attempt, true);
      const counted = room && ((bytes: number) => room.charge(bytes, signal)?.catch(refuseForRoom));
      const { answerBytes } = this.#config;
      return whole === undefined
        ? await readAnswer(response, answerBytes, room?.next ?? nextTurn, counted)
        : await readAnswer(response, Math.min(answerBytes, whole), undefined, counted);
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
