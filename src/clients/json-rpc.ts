import { ServiceFailedError, ServiceRefusedError, ServiceSilentError } from '../core/errors';
import { oneLine } from '../core/eth/one-line';
import { JsonRpcFailureStruct, JsonRpcSuccessStruct } from '../core/schemas/json-rpc';
import { parse, type Struct } from '../core/schemas/struct';
import { ServiceUrlStruct } from '../core/schemas/url';
import { readLimited } from './limited-body';

/** How a service is reached. Every part but the address has a default. */
export type JsonRpcOptions = {
  /** https, or http on this machine. May hold an API key, so errors name only its host. */
  readonly url: string;
  /** Milliseconds until a request is given up; 10 000 if left out. */
  readonly timeout?: number;
  /** Bytes of an answer that are read at most; 2 MiB if left out. */
  readonly maxBytes?: number;
};

const DEFAULT_TIMEOUT = 10_000;
const DEFAULT_MAX_BYTES = 2 * 1024 * 1024;
const MAX_QUOTE = 300;

const quoted = (text: string): string => oneLine(text, MAX_QUOTE);

/** @returns undefined if it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** One JSON-RPC 2.0 service over HTTP. Runs in the snap, in Node and in browsers. */
export class JsonRpcClient {
  /** What errors call the service: "the bundler at bundler.example". */
  readonly title: string;
  readonly #url: string;
  readonly #timeout: number;
  readonly #maxBytes: number;
  #lastId = 0;

  /**
   * @param role - What the service is, such as "bundler".
   * @throws {InvalidParamsError} If the URL is none that may be used.
   */
  constructor(role: string, { url, timeout = DEFAULT_TIMEOUT, maxBytes = DEFAULT_MAX_BYTES }: JsonRpcOptions) {
    this.#url = parse(ServiceUrlStruct, url, 'url');
    this.title = `the ${role} at ${new URL(url).host}`;
    this.#timeout = timeout;
    this.#maxBytes = maxBytes;
  }

  /**
   * @param result - What the answer must be.
   * @param signal - Gives the request up.
   * @throws {ServiceFailedError} If there is no answer in time, or it is not one to this request.
   * @throws {ServiceRefusedError} If the service answers with an error.
   */
  async request<T>(
    method: string,
    params: readonly unknown[],
    result: Pick<Struct<T>, 'is'>,
    signal?: AbortSignal,
  ): Promise<T> {
    const id = ++this.#lastId;
    const answer = await this.#post(JSON.stringify({ jsonrpc: '2.0', id, method, params }), signal);
    const isFailure = JsonRpcFailureStruct.is(answer);
    if (!isFailure && !JsonRpcSuccessStruct.is(answer)) this.#fail('did not answer with JSON-RPC 2.0');
    if ((answer.id ?? id) !== id) this.#fail(`answered another request than ${method} (the id differs)`);
    if (isFailure) {
      const { code, message, data } = answer.error;
      const sentence = this.sentence(`refused ${method}: ${quoted(message)} (${code})`);
      throw new ServiceRefusedError(sentence, { code, message: quoted(message), ...(data !== undefined && { data }) });
    }
    if (!result.is(answer.result)) this.#fail(`gave a result of the wrong form to ${method}`);
    return answer.result;
  }

  async #post(body: string, signal?: AbortSignal): Promise<unknown> {
    const controller = new AbortController();
    const cancel = () => {
      controller.abort();
    };
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      cancel();
    }, this.#timeout);
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted === true) cancel();
    try {
      return await this.#exchange(body, controller.signal);
    } catch (error) {
      if (error instanceof ServiceFailedError) throw error;
      if (late) this.#fail(`did not answer within ${this.#timeout / 1000} s`, ServiceSilentError);
      if (signal?.aborted === true) throw new ServiceFailedError(`The request to ${this.title} was cancelled.`);
      return this.#fail('could not be reached', ServiceSilentError);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    }
  }

  async #exchange(body: string, signal: AbortSignal): Promise<unknown> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal,
      // A redirect could lead away from https, or to a host that nobody agreed to: it is an answer like any other.
      redirect: 'manual',
      credentials: 'omit',
    });
    const text = await readLimited(response, this.#maxBytes);
    if (text === undefined) return this.#fail(`answered with more than ${this.#maxBytes} bytes`);
    const answer = parsed(text);
    // Refusals come with any status, results with that of success only.
    if (answer !== undefined && (response.ok || JsonRpcFailureStruct.is(answer))) return answer;
    const type = response.headers.get('content-type') ?? 'no content type';
    return this.#fail(`did not answer with JSON (HTTP ${response.status}, ${quoted(type)})`);
  }

  /** @returns What the service did, as a sentence. */
  sentence(what: string): string {
    return `T${this.title.slice(1)} ${what}`;
  }

  #fail(what: string, Kind = ServiceFailedError): never {
    throw new Kind(this.sentence(`${what}.`));
  }
}
