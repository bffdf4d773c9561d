import { type ServerResponse } from 'node:http';
import { type Held } from '../../admission/held';
import { type Cancellation } from '../content/cancellation';
import { CommandError, ErrorCode, isPassing, messageForClients, RequestError, RETRY_AFTER_SECONDS } from '../errors';
import { breakOff } from '../http/break-off';
import { sendPlain } from '../http/send-plain';
import { writePieces } from '../http/write-pieces';

const EXPOSED = 'X-Stream-Output, X-Chunked-Output, X-Content-Length';

/** Characters of a trailer: clients limit the size of fields, and a message may contain a path. */
const MAX_TRAILER = 1024;

/** Output encodings; `text` and `xml` exist for commands whose response is bytes anyway. */
export type Encoding = 'json' | 'text' | 'protobuf' | 'xml';

type ReplySettings = {
  readonly encoding: Encoding;
  /** Whether to end a failed stream of objects with an error object. */
  readonly streamError: boolean;
  /** Stops waiting for a client that does not read. */
  readonly cancellation: Cancellation;
  /** Where a value that is sent as a whole is counted. */
  readonly answer: Held;
  /** Called if the response ends with an error after it has begun. */
  readonly onBroken: () => void;
};

const JSON_TYPE = 'application/json';

/** Message and code of an error, and its status if nothing was sent yet. */
function describe(error: unknown): { status: number; message: string; code: number } {
  if (error instanceof CommandError) {
    return { status: error.code === ErrorCode.Client ? 400 : 500, message: error.message, code: error.code };
  }
  return { status: isPassing(error) ? 503 : 500, message: messageForClients(error), code: ErrorCode.Normal };
}

/**
 * The response to one request, in exactly one form: a single value (`value`), a stream of objects (`object`) or a
 * stream of bytes (`bytes`). An error before the first byte has its own status; later it goes into the trailer.
 */
export class Reply {
  readonly #response: ServerResponse;
  readonly #settings: ReplySettings;
  #kind: 'objects' | 'bytes' | undefined;
  #held = false;

  constructor(response: ServerResponse, settings: ReplySettings) {
    this.#response = response;
    this.#settings = settings;
  }

  get encoding(): Encoding {
    return this.#settings.encoding;
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  /** Sends a single value, once there is room in memory for it. */
  async value(value: unknown): Promise<void> {
    const body = value instanceof Uint8Array ? value : `${JSON.stringify(value)}\n`;
    await this.whole(body.length);
    this.#head(value instanceof Uint8Array ? 'application/protobuf' : JSON_TYPE);
    this.#response.writeHead(200);
    this.#response.end(body);
  }

  /** Waits until there is room for so many bytes in total that are kept until the client has read them. */
  async whole(bytes: number): Promise<void> {
    const { answer, cancellation } = this.#settings;
    const room = answer.charge(Math.max(0, bytes - answer.length));
    if (room !== undefined) await room;
    cancellation.throwIfCancelled();
    answer.complete();
  }

  /** Sends the next object of a stream; resolves once the client is ready for more. */
  async object(value: unknown): Promise<void> {
    this.beginObjects();
    this.#hold();
    await this.write(`${JSON.stringify(value)}\n`);
  }

  /** Starts a stream of objects. */
  beginObjects(): void {
    if (this.started) return;
    this.#kind = 'objects';
    this.#head(JSON_TYPE);
    this.#response.setHeader('X-Chunked-Output', '1');
    this.#response.writeHead(200);
  }

  /** Ends a stream of objects, which may be empty. */
  endObjects(): void {
    this.beginObjects();
    this.end();
  }

  /** Starts a stream of bytes. `length` is sent as `X-Content-Length`. */
  beginBytes(length?: number, contentType = 'text/plain'): void {
    this.#kind = 'bytes';
    this.#head(contentType);
    if (length !== undefined) this.#response.setHeader('X-Content-Length', String(length));
    this.#response.setHeader('X-Stream-Output', '1');
    this.#response.writeHead(200);
  }

  /** Sends the next pieces of a stream; resolves once the client is ready for more. */
  async write(...pieces: readonly (string | Uint8Array)[]): Promise<void> {
    await writePieces(this.#response, this.#settings.cancellation, pieces);
  }

  /** Ends a stream, together with its last piece. */
  end(piece?: Uint8Array): void {
    if (!this.#response.writableEnded) this.#response.end(piece);
  }

  /** Sends an error in whatever way is still possible. */
  fail(error: unknown): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (error instanceof RequestError && !this.started) {
      if (error.retryAfter !== undefined) this.#response.setHeader('Retry-After', String(error.retryAfter));
      sendPlain(this.#response, error.status, error.message);
      return;
    }
    const { status, message, code } = describe(error);
    const body = { Message: message, Code: code, Type: 'error' };
    if (!this.started) {
      this.#head(JSON_TYPE);
      // The rest of an unwanted body is not read.
      if (!this.#response.req.complete) this.#response.setHeader('Connection', 'close');
      if (status === 503) this.#response.setHeader('Retry-After', String(RETRY_AFTER_SECONDS));
      this.#response.writeHead(status);
      this.#response.end(`${JSON.stringify(body)}\n`);
      return;
    }
    this.#settings.onBroken();
    if (this.#kind === 'objects' && this.#settings.streamError) this.#response.write(`${JSON.stringify(body)}\n`);
    if (!this.#response.chunkedEncoding) {
      // HTTP/1.0 has no trailers.
      breakOff(this.#response);
      return;
    }
    this.#response.addTrailers([['X-Stream-Error', message.slice(0, MAX_TRAILER).replace(/[^\x20-\x7e]/g, '?')]]);
    this.#response.end();
  }

  /**
   * Corks the socket until the end of this turn of the event loop, so that the last object is sent together with the
   * end.
   */
  #hold(): void {
    const { socket } = this.#response;
    if (this.#held || socket === null) return;
    this.#held = true;
    socket.cork();
    setImmediate(() => {
      this.#held = false;
      socket.uncork();
    });
  }

  /** Sets common headers one by one: an object of headers would be promoted to V8's old generation. */
  #head(contentType: string): void {
    this.#response.setHeader('Access-Control-Allow-Headers', EXPOSED);
    this.#response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    this.#response.setHeader('Content-Type', contentType);
    // A response to HTTP/1.0 is not chunked, and only chunked responses have trailers.
    if (this.#response.useChunkedEncodingByDefault) this.#response.setHeader('Trailer', 'X-Stream-Error');
  }
}
