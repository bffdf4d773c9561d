import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';

import type { KeyIdentity } from '../keys';
import { KEEP_ALIVE_MS } from '../runtime/listener';
import type { Answer } from './dispatch';
import { answerBody, answerText, CORS, networkAt, refusal, type RpcContext } from './http';
import type { Network } from './network';
import { PlainHeads, type PlainHead } from './plain-request';

/*
 * node:http spends more time on a request than the service itself needs for an uncle lookup (docs/service.md,
 * "Measured"). So requests are answered here as long as each is plain (see readPlainHead) and arrives whole and alone,
 * as from programs that call repeatedly. At the first other request the connection is handed to node:http with the
 * request unread, so HTTP is interpreted in one place only.
 */

const HEAD_END = '\r\n\r\n';
const NOT_ASCII = /[^\0-\x7f]/u;
const NO_CONTENT = 204;
const TOO_LATE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

const lines = (fields: readonly string[]) =>
  fields.map((field, i) => (i % 2 === 0 ? `${field}: ` : `${field}\r\n`)).join('');
const COMMON = lines(CORS);
const KEPT = lines(['connection', 'keep-alive', 'keep-alive', `timeout=${KEEP_ALIVE_MS / 1000}`]);
const CLOSED = lines(['connection', 'close']);

/** Response heads by status, as far as they stay the same within a second. */
let heads = { second: NaN, kept: new Map<number, string>(), last: new Map<number, string>() };

/** The head of a response, without the body's fields and without the empty line. */
function headOf(status: number, isLast: boolean): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== heads.second) heads = { second, kept: new Map(), last: new Map() };
  const known = isLast ? heads.last : heads.kept;
  let head = known.get(status);
  if (head === undefined) {
    const date = lines(['date', new Date(now).toUTCString()]);
    // Joined rather than concatenated: V8 would flatten a concatenated string again on every write.
    head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`, COMMON, date, isLast ? CLOSED : KEPT].join('');
    known.set(status, head);
  }
  return head;
}

/** A response as text; `isAscii` says that the body is known to be ASCII. */
function message(
  status: number,
  body: string | undefined,
  isAscii: boolean,
  isLast: boolean,
): { text: string; isLatin: boolean } {
  const head = headOf(status, isLast);
  if (body === undefined) return { text: `${head}\r\n`, isLatin: true };
  const length = isAscii ? body.length : Buffer.byteLength(body);
  const text = `${head}content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
  return { text, isLatin: length === body.length };
}

/** Shared by all connections. */
type Shared = {
  context: RpcContext;
  heads: PlainHeads;
  /** How long a new connection may stay silent. */
  requestMs: number;
};

/** A connection whose requests so far were all plain. */
class PlainConnection {
  readonly #socket: Socket;
  readonly #shared: Shared;
  readonly #own: Network | undefined;
  readonly #toHttp: () => void;
  #busy = false;
  #answered = false;
  /** Data that arrived during a request. */
  #held: Buffer | undefined;
  /** Whether the client will send no more. */
  #ended = false;

  constructor(socket: Socket, shared: Shared, own: Network | undefined, toHttp: () => void) {
    this.#socket = socket;
    this.#shared = shared;
    this.#own = own;
    this.#toHttp = toHttp;
    socket.setTimeout(shared.requestMs);
    socket.on('data', this.#onData).on('end', this.#onEnd).on('timeout', this.#onTimeout).on('error', this.#onError);
  }

  readonly #onData = (chunk: Buffer) => {
    if (this.#busy) {
      this.#held = chunk;
      this.#socket.pause();
      return;
    }
    // Latin-1 keeps one character per byte.
    const text = chunk.toString('latin1');
    const end = text.indexOf(HEAD_END);
    const read = end < 0 ? undefined : this.#shared.heads.read(text.slice(0, end));
    const start = end + HEAD_END.length;
    if (read?.length === chunk.length - start && read.length <= this.#shared.context.bodyBytes)
      this.#answer(read, text.slice(start), chunk, start);
    else this.#handOver(chunk);
  };

  readonly #onEnd = () => {
    this.#ended = true;
    if (!this.#busy) this.#socket.end();
  };

  readonly #onTimeout = () => {
    if (this.#busy) return;
    if (this.#answered) this.#socket.destroy();
    // As node:http does for a client that connects and sends nothing.
    else this.#socket.end(TOO_LATE, () => this.#socket.destroy());
  };

  /** The socket closes by itself, and there is no one to report to. */
  readonly #onError = () => undefined;

  readonly #onDrain = () => {
    this.#socket.setTimeout(KEEP_ALIVE_MS).resume();
  };

  #answer({ key, host }: PlainHead, text: string, chunk: Buffer, start: number): void {
    const context = this.#shared.context;
    this.#busy = true;
    try {
      const network = networkAt(context.addresses, host, this.#own);
      const ask = (identity: KeyIdentity) => {
        const caller = { network, identity, transport: 'http' } as const;
        if (NOT_ASCII.test(text)) answerBody(context, caller, chunk.subarray(start), this.#send);
        else answerText(context, caller, text, this.#send);
      };
      const known = context.authenticate(key);
      if (known instanceof Promise) known.then(ask).catch(this.#refuse);
      else ask(known);
    } catch (error) {
      this.#refuse(error);
    }
  }

  readonly #refuse = (error: unknown) => {
    this.#send({ ...refusal(this.#shared.context, error), isAscii: false });
  };

  readonly #send = ({ status, body, isAscii }: Pick<Answer, 'status' | 'body' | 'isAscii'>) => {
    const socket = this.#socket;
    this.#busy = false;
    if (socket.destroyed) return;
    const isLast = this.#ended || this.#shared.context.stopping();
    const { text, isLatin } = message(body === undefined ? NO_CONTENT : status, body, isAscii, isLast);
    const taken = socket.write(text, isLatin ? 'latin1' : 'utf8');
    if (!this.#answered || !taken) socket.setTimeout(taken ? KEEP_ALIVE_MS : this.#shared.requestMs);
    this.#answered = true;
    if (isLast) socket.destroySoon();
    else if (this.#held) this.#handOver(this.#held);
    else if (!taken) {
      // Backpressure: stop reading until the client drains its responses. It has as long for the next piece as for a
      // request.
      socket.pause();
      socket.once('drain', this.#onDrain);
    }
  };

  #handOver(chunk: Buffer): void {
    const socket = this.#socket;
    socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('timeout', this.#onTimeout)
      .off('error', this.#onError);
    socket.off('drain', this.#onDrain).setTimeout(0);
    // Nothing may be read in between: the next data must go to node:http's parser.
    socket.pause();
    socket.unshift(chunk);
    this.#toHttp();
    socket.resume();
  }

  /** Closes the connection once its responses are sent; a request in progress is answered first. */
  drain(): void {
    if (!this.#busy) this.#socket.destroySoon();
  }

  terminate(): void {
    this.#socket.destroy();
  }
}

/** The connections that are served without node:http. */
export class PlainConnections {
  readonly #shared: Shared;
  readonly #open = new Set<PlainConnection>();

  /**
   * @param context - The server's context.
   * @param requestMs - How long a new connection may stay silent.
   */
  constructor(context: RpcContext, requestMs: number) {
    this.#shared = { context, heads: new PlainHeads(), requestMs };
  }

  /**
   * Intercepts a server's connections.
   *
   * @param server - From node:http or node:https.
   * @param event - The event with which it accepts a connection.
   * @param own - The network of its port; undefined on the shared port.
   */
  takeFrom(server: Server, event: 'connection' | 'secureConnection', own: Network | undefined): void {
    const listeners = server.listeners(event);
    server.removeAllListeners(event);
    server.on(event, (socket: Socket) => {
      const forget = () => this.#open.delete(connection);
      const connection = new PlainConnection(socket, this.#shared, own, () => {
        forget();
        socket.off('close', forget);
        for (const listener of listeners) listener.call(server, socket);
      });
      this.#open.add(connection);
      socket.once('close', forget);
    });
  }

  /** Closes idle connections; the others close after their next response. */
  drain(): void {
    for (const connection of this.#open) connection.drain();
  }

  /** Closes the remaining connections. */
  terminate(): void {
    for (const connection of this.#open) connection.terminate();
  }
}
