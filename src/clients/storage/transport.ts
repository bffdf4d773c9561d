import { collect, concat, fromUtf8, utf8 } from './bytes';
import { StorageError, wrongKind } from './errors';
import { type Form } from './multipart';

/** Where the service is and how to get in. */
export type StorageClientOptions = {
  /** For instance `https://storage.example:5001`; the path `/api/v0` is added. */
  readonly url: string;
  /** API key and secret, sent as HTTP basic credentials. */
  readonly key?: string;
  readonly secret?: string;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Blocks asked for at the same time while reading. Default 4. */
  readonly concurrency?: number;
  /** Bytes of one answer that are read at most. Default: no limit. */
  readonly maxBytes?: number;
};

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;
export type CallOptions = { readonly signal?: AbortSignal | undefined };

function broken(error: unknown, signal: AbortSignal | undefined): StorageError {
  if (error instanceof StorageError) return error;
  return new StorageError(signal?.aborted ? 'aborted' : 'network', String(error));
}

const cut = () => new StorageError('truncated', 'answer was cut');

function refusal({ status }: Response, text: string): StorageError {
  try {
    const { Message, Code } = JSON.parse(text) as { Message?: string; Code?: number };
    if (Message) return new StorageError('refused', Message, status, Code);
  } catch {
    // Not an error object: plain text.
  }
  return new StorageError('refused', text.trim() || `status ${status}`, status);
}

/** Sends commands and reads answers; knows nothing of what they mean. */
export class Transport {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof fetch;
  readonly #maxBytes: number;

  constructor({ url, key, secret = '', fetch: custom, maxBytes = Infinity }: StorageClientOptions) {
    // Who writes plain JavaScript is held to no type.
    if (typeof url !== 'string') throw wrongKind('url', 'string');
    this.#base = url.replace(/\/*$/, '/api/v0/');
    this.#headers =
      key === undefined ? {} : { Authorization: `Basic ${btoa(String.fromCharCode(...utf8(`${key}:${secret}`)))}` };
    this.#maxBytes = maxBytes;
    this.#fetch = custom ?? ((input, init) => fetch(input, init));
  }

  /** @throws StorageError `refused` for an error status, `network` or `aborted` without an answer. */
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

  /** The body, piece by piece as it comes. @throws StorageError when the connection breaks, or too much comes. */
  async *pieces(response: Response, { signal }: CallOptions): AsyncGenerator<Uint8Array> {
    const reader = response.body?.getReader();
    let length = 0;
    try {
      // An answer without a body has no reader.
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
      // Frees the connection when the caller stopped early; without effect at the end.
      void reader?.cancel().catch(() => undefined);
    }
  }

  /**
   * The objects of a stream, one by one as their lines are complete.
   *
   * @throws StorageError `stream` for an error the server reports in the stream, `truncated` when the last line is cut.
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

  /** The only object of an answer. @throws StorageError `truncated` when there is none. */
  async only<T>(response: Response, options: CallOptions): Promise<T> {
    const [value] = await collect(this.objects<T>(response, options));
    if (value === undefined) throw cut();
    return value;
  }
}

function readObject<T>(line: string): T {
  let value: { Type?: string; Message?: string; Code?: number } | null = null;
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    // Told below: `null` is JSON, and no object either.
  }
  if (value === null) throw cut();
  const { Type, Message, Code } = value;
  if (Type === 'error' && Message !== undefined) throw new StorageError('stream', Message, undefined, Code);
  return value as T;
}
