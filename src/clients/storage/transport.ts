import { collect, concat, fromUtf8, utf8 } from './bytes';
import { StorageError, wrongKind } from './errors';
import { type Form } from './multipart';

/**
 * The URL and credentials of the storage service, and limits.
 *
 * @example
 * ```ts
 * import { StorageClient, type StorageClientOptions } from 'keystead/clients';
 * const options: StorageClientOptions = {
 *   url: 'https://storage.example:5001', key: '<API_KEY>', secret: '<SECRET>', maxBytes: 64 * 1024 * 1024 };
 * const storage = new StorageClient(options);
 * ```
 */
export type StorageClientOptions = {
  /** The base URL, such as `https://storage.example:5001`. The path `/api/v0` is appended. */
  readonly url: string;
  /** The API key. Key and secret are sent as HTTP basic credentials. */
  readonly key?: string;
  /** The secret of the API key. */
  readonly secret?: string;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** The number of blocks requested concurrently while reading. Default: 4. */
  readonly concurrency?: number;
  /** The maximum size of a response in bytes. Default: no limit. */
  readonly maxBytes?: number;
};

/**
 * The options of a command. Undefined options are omitted.
 *
 * @example
 * ```ts
 * import { type Query } from 'keystead/clients';
 * const query: Query = { pin: true, 'cid-version': 1, name: undefined };
 * ```
 */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
/**
 * Options of every call. `signal` cancels it.
 *
 * @example
 * ```ts
 * import { type CallOptions, StorageClient } from 'keystead/clients';
 * const storage = new StorageClient({ url: 'https://storage.example', key: '<API_KEY>', secret: '<SECRET>' });
 * const options: CallOptions = { signal: AbortSignal.timeout(10_000) };
 * const { cid } = await storage.add('hello', options);
 * ```
 */
export type CallOptions = { readonly signal?: AbortSignal | undefined };

function broken(error: unknown, signal: AbortSignal | undefined): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(signal?.aborted ? 'aborted' : 'network', String(error));
}

const truncated = () => new StorageError('truncated', 'truncated response');

function refusal({ status }: Response, text: string): StorageError {
  try {
    const { Message, Code } = JSON.parse(text) as { Message?: string; Code?: number };
    if (Message) return new StorageError('refused', Message, status, Code);
  } catch {
    // Not an error object: plain text.
  }
  return new StorageError('refused', text.trim() || `HTTP ${status}`, status);
}

/** Sends commands and reads responses, without interpreting them. */
export class Transport {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof fetch;
  readonly #maxBytes: number;

  constructor({ url, key, secret = '', fetch: custom, maxBytes = Infinity }: StorageClientOptions) {
    // Plain JavaScript callers are not type-checked.
    if (typeof url !== 'string') throw wrongKind('url', 'string');
    this.#base = url.replace(/\/*$/, '/api/v0/');
    this.#headers =
      key === undefined ? {} : { Authorization: `Basic ${btoa(String.fromCharCode(...utf8(`${key}:${secret}`)))}` };
    this.#maxBytes = maxBytes;
    this.#fetch = custom ?? ((input, init) => fetch(input, init));
  }

  /**
   * Sends a command.
   *
   * @throws {StorageError} `refused` for an error status, `network` or `aborted` if there is no response.
   */
  async post(
    command: string,
    args: readonly string[],
    query: Query,
    { signal }: CallOptions,
    form?: Form,
  ): Promise<Response> {
    const search = new URLSearchParams(args.map((value): [string, string] => ['arg', value]));
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value));
    let response: Response;
    try {
      response = await this.#fetch(`${this.#base}${command}?${search.toString()}`, {
        method: 'POST',
        headers: { ...this.#headers, ...(form && { 'Content-Type': form.type }) },
        body: form?.body ?? null,
        signal: signal ?? null,
      });
    } catch (error) {
      throw broken(error, signal);
    }
    if (!response.ok) {
      const pieces = await collect(this.pieces(response, { signal })).catch(() => []);
      throw refusal(response, fromUtf8(concat(pieces)));
    }
    return response;
  }

  /**
   * Yields the body piece by piece as it arrives.
   *
   * @throws {StorageError} `network` if the connection breaks, `truncated` if the body exceeds `maxBytes`.
   */
  async *pieces(response: Response, { signal }: CallOptions): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    let length = 0;
    try {
      // A response without a body has no reader.
      while (reader) {
        const { done, value } = await reader.read();
        if (done) return;
        length += value.length;
        if (length > this.#maxBytes) throw new StorageError('truncated', 'too many bytes');
        yield value;
      }
    } catch (error) {
      throw broken(error, signal);
    } finally {
      // Frees the connection if the caller stopped early. Has no effect at the end of the body.
      void reader?.cancel().catch(() => undefined);
    }
  }

  /**
   * Yields the objects of a stream as their lines arrive.
   *
   * @throws {StorageError} `stream` if the server reports an error in the stream, `truncated` if the last line is
   * incomplete.
   */
  async *objects<T>(response: Response, options: CallOptions): AsyncGenerator<T> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const piece of this.pieces(response, options)) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line) yield readObject<T>(line);
    }
    if (rest) yield readObject<T>(rest);
  }

  /** Reads the single object of a response. @throws {StorageError} `truncated` if there is none. */
  async only<T>(response: Response, options: CallOptions): Promise<T> {
    const [value] = await collect(this.objects<T>(response, options));
    if (value === undefined) throw truncated();
    return value;
  }
}

function readObject<T>(line: string): T {
  let value: { Type?: string; Message?: string; Code?: number } | null = null;
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    // Reported below, together with `null`, which is JSON but not an object.
  }
  if (value === null) throw truncated();
  const { Type, Message, Code } = value;
  if (Type === 'error' && Message !== undefined) throw new StorageError('stream', Message, undefined, Code);
  return value as T;
}
