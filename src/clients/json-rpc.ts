import { InvalidParamsError, ServiceFailedError, ServiceRefusedError, ServiceSilentError } from '../core/errors';
import { oneLine } from '../core/eth/one-line';
import { isJsonRpcFailure, isJsonRpcSuccess } from '../core/schemas/json-rpc';
import { isServiceUrl, SERVICE_URL_RULE } from '../core/schemas/service-url';
import { type Checker } from '../core/structs/struct';
import { type Ending, within } from './within';

/**
 * The options of a JSON-RPC client. Only the URL is required.
 *
 * @example
 * ```ts
 * import { type JsonRpcOptions, NodeClient } from 'keystead/clients';
 * const options: JsonRpcOptions = { url: 'https://node.example/v3/<API_KEY>', timeout: 5000 };
 * const node = new NodeClient(options);
 * ```
 */
export type JsonRpcOptions = {
  /**
   * The URL of the service: https with a public host, or http(s) with a loopback host. It may contain an API key, so
   * error messages name only the host.
   */
  readonly url: string;
  /** The time limit of a request in milliseconds. Default: 10 000. */
  readonly timeout?: number;
  /** The maximum size of a response in bytes. Default: 2 MiB. */
  readonly maxBytes?: number;
};

const DEFAULT_TIMEOUT = 10_000;
const DEFAULT_MAX_BYTES = 2 * 1024 * 1024;
const MAX_QUOTE = 300;

const quoted = (text: string): string => oneLine(text, MAX_QUOTE);

/** @returns The parsed value, or undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Reads a response body up to a limit, regardless of its Content-Length.
 *
 * @param limit - The maximum size in bytes.
 * @returns The text, or undefined if the body exceeds the limit. The rest is not read then.
 */
async function readLimited({ body }: Response, limit: number): Promise<string | undefined> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * A client of one JSON-RPC 2.0 service over HTTP. Runs in the snap, in Node and in browsers.
 *
 * @example
 * ```ts
 * import { BundlerClient, type JsonRpcClient } from 'keystead/clients';
 * class NamedBundler extends BundlerClient {
 *   readonly title = ((rpc: JsonRpcClient) => rpc.title)(this.rpc);
 * }
 * new NamedBundler({ url: 'https://bundler.example' }).title; // => 'the bundler at bundler.example'
 * ```
 */
export class JsonRpcClient {
  /** The name of the service in error messages, such as "the bundler at bundler.example". */
  readonly title: string;
  readonly #url: string;
  readonly #timeout: number;
  readonly #maxBytes: number;
  #lastId = 0;

  /**
   * @param role - The kind of service, such as "bundler".
   * @throws {InvalidParamsError} If the URL is not allowed; see {@link JsonRpcOptions.url}.
   */
  constructor(role: string, { url, timeout = DEFAULT_TIMEOUT, maxBytes = DEFAULT_MAX_BYTES }: JsonRpcOptions) {
    if (!isServiceUrl(url)) throw new InvalidParamsError('url', url === undefined ? 'is missing' : SERVICE_URL_RULE);
    this.#url = url;
    this.title = `the ${role} at ${new URL(url).host}`;
    this.#timeout = timeout;
    this.#maxBytes = maxBytes;
  }

  /**
   * Sends a request.
   *
   * @param result - The struct that the result must match; optional members may be null.
   * @param signal - Cancels the request.
   * @throws {ServiceFailedError} If the service does not respond in time, or its response is malformed.
   * @throws {ServiceRefusedError} If the service responds with an error.
   */
  async request<T>(method: string, params: readonly unknown[], result: Checker<T>, signal?: AbortSignal): Promise<T> {
    const id = ++this.#lastId;
    const answer = await this.#post(JSON.stringify({ jsonrpc: '2.0', id, method, params }), signal);
    const isFailure = isJsonRpcFailure(answer);
    if (!isFailure && !isJsonRpcSuccess(answer)) this.#fail('did not return a JSON-RPC 2.0 response');
    if ((answer.id ?? id) !== id) this.#fail(`returned a response to another request than ${method} (the id differs)`);
    if (isFailure) {
      const { code, message, data } = answer.error;
      const sentence = this.sentence(`rejected ${method}: ${quoted(message)} (${code})`);
      throw new ServiceRefusedError(sentence, { code, message: quoted(message), ...(data !== undefined && { data }) });
    }
    try {
      return result.create(answer.result);
    } catch {
      return this.#fail(`returned a malformed result for ${method}`);
    }
  }

  async #post(body: string, signal?: AbortSignal): Promise<unknown> {
    try {
      return await within(
        this.#timeout,
        (ended) => this.#exchange(body, ended),
        (why) => this.#failAtEnd(why),
        signal,
      );
    } catch (error) {
      if (error instanceof ServiceFailedError) throw error;
      return this.#fail('could not be reached', ServiceSilentError);
    }
  }

  #failAtEnd(why: Ending): never {
    if (why === 'late') return this.#fail(`did not respond within ${this.#timeout / 1000} s`, ServiceSilentError);
    throw new ServiceFailedError(`The request to ${this.title} was cancelled.`);
  }

  async #exchange(body: string, signal: AbortSignal): Promise<unknown> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
      signal,
      // Do not follow redirects: they could lead away from https or to a host the user did not agree to.
      redirect: 'manual',
      credentials: 'omit',
    });
    const text = await readLimited(response, this.#maxBytes);
    if (text === undefined) return this.#fail(`returned more than ${this.#maxBytes} bytes`);
    const answer = parsed(text);
    // An error response is accepted with any HTTP status, a result only with a success status.
    if (answer !== undefined && (response.ok || isJsonRpcFailure(answer))) return answer;
    const type = response.headers.get('content-type') ?? 'no content type';
    return this.#fail(`did not return JSON (HTTP ${response.status}, ${quoted(type)})`);
  }

  /** @returns A sentence that starts with the name of the service. */
  sentence(what: string): string {
    return `T${this.title.slice(1)} ${what}`;
  }

  #fail(what: string, Kind = ServiceFailedError): never {
    throw new Kind(this.sentence(`${what}.`));
  }
}
