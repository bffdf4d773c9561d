import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';

import { KEEP_ALIVE_MS } from '../listener';
import { answerBody, CORS, networkAt, refusal, type Doors } from './http';
import type { Network } from './network';
import { readPlainHead, type PlainHead } from './plain-request';

/*
 * node:http spends more time on a request than all of this service does on an uncle (docs/service.md, "Measured"). So a
 * connection's requests are answered here as long as each is plain (see readPlainHead) and comes whole and alone, as
 * those of programs that ask again and again do. The first one that does not is handed to node:http unread, and the
 * connection with it: there is no second opinion here on what HTTP is.
 */

const HEAD_END = '\r\n\r\n';
const NO_CONTENT = 204;
const TOO_LATE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

const lines = (fields: readonly string[]) =>
  fields.map((field, i) => (i % 2 === 0 ? `${field}: ` : `${field}\r\n`)).join('');
const COMMON = lines(CORS);
const KEPT = lines(['connection', 'keep-alive', 'keep-alive', `timeout=${KEEP_ALIVE_MS / 1000}`]);
const CLOSED = lines(['connection', 'close']);

let date = { second: NaN, line: '' };

/** The `date` field; it changes once a second. */
function dateLine(): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== date.second) date = { second, line: lines(['date', new Date(now).toUTCString()]) };
  return date.line;
}

/** The bytes of an answer, as text. */
function message(status: number, body: string | undefined, isLast: boolean): { text: string; isLatin: boolean } {
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  const content = body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${length}\r\n`;
  const text =
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${COMMON}${content}${dateLine()}${isLast ? CLOSED : KEPT}\r\n` +
    (body ?? '');
  return { text, isLatin: body === undefined || length === body.length };
}

/** A connection all of whose requests so far were plain. */
class PlainConnection {
  readonly #socket: Socket;
  readonly #doors: Doors;
  readonly #own: Network | undefined;
  readonly #requestMs: number;
  readonly #toHttp: () => void;
  /** The last request's head, and what it said: the next one's is mostly the same. */
  #head = '';
  #read: PlainHead | undefined;
  #busy = false;
  #answered = false;
  /** What came while a request was under way. */
  #held: Buffer | undefined;
  /** Whether the client will send no more. */
  #ended = false;

  constructor(socket: Socket, doors: Doors, own: Network | undefined, requestMs: number, toHttp: () => void) {
    this.#socket = socket;
    this.#doors = doors;
    this.#own = own;
    this.#requestMs = requestMs;
    this.#toHttp = toHttp;
    socket.setTimeout(requestMs);
    socket.on('data', this.#onData).on('end', this.#onEnd).on('timeout', this.#onTimeout).on('error', this.#onError);
  }

  readonly #onData = (chunk: Buffer) => {
    if (this.#busy) {
      this.#held = chunk;
      this.#socket.pause();
      return;
    }
    const text = chunk.toString('latin1');
    const end = text.indexOf(HEAD_END);
    const head = text.slice(0, Math.max(end, 0));
    if (head !== this.#head) {
      this.#head = head;
      this.#read = readPlainHead(head);
    }
    const start = end + HEAD_END.length;
    if (this.#read?.length === chunk.length - start && this.#read.length <= this.#doors.bodyBytes)
      void this.#answer(this.#read, chunk.subarray(start));
    else this.#handOver(chunk);
  };

  readonly #onEnd = () => {
    this.#ended = true;
    if (!this.#busy) this.#socket.end();
  };

  readonly #onTimeout = () => {
    if (this.#busy) return;
    if (this.#answered) this.#socket.destroy();
    // As node:http answers who connects and says nothing.
    else this.#socket.end(TOO_LATE, () => this.#socket.destroy());
  };

  /** The socket closes by itself; there is nobody left to tell. */
  readonly #onError = () => undefined;

  readonly #onDrain = () => {
    this.#socket.setTimeout(KEEP_ALIVE_MS).resume();
  };

  async #answer({ key, host }: PlainHead, bytes: Buffer): Promise<void> {
    const doors = this.#doors;
    this.#busy = true;
    try {
      const network = networkAt(doors.addresses, host, this.#own);
      const identity = await doors.authenticate(key);
      const { status, body } = await answerBody(doors, { network, identity, transport: 'http' }, bytes);
      this.#send(body === undefined ? NO_CONTENT : status, body);
    } catch (error) {
      const { status, body } = refusal(doors, error);
      this.#send(status, body);
    }
  }

  #send(status: number, body: string | undefined): void {
    const socket = this.#socket;
    this.#busy = false;
    if (socket.destroyed) return;
    const isLast = this.#ended || this.#doors.stopping();
    const { text, isLatin } = message(status, body, isLast);
    const taken = socket.write(text, isLatin ? 'latin1' : 'utf8');
    if (!this.#answered || !taken) socket.setTimeout(taken ? KEEP_ALIVE_MS : this.#requestMs);
    this.#answered = true;
    if (isLast) socket.destroySoon();
    else if (this.#held) this.#handOver(this.#held);
    else if (!taken) {
      // Who does not read answers is not read from either, and has as long for the next piece as for a request.
      socket.pause();
      socket.once('drain', this.#onDrain);
    }
  }

  #handOver(chunk: Buffer): void {
    const socket = this.#socket;
    socket
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('timeout', this.#onTimeout)
      .off('error', this.#onError);
    socket.off('drain', this.#onDrain).setTimeout(0);
    // Nothing may be read between the two: what comes next goes to node:http's parser by a way of its own.
    socket.pause();
    socket.unshift(chunk);
    this.#toHttp();
    socket.resume();
  }

  /** Closes the connection once its answers are sent. A request under way is answered first. */
  drain(): void {
    if (!this.#busy) this.#socket.destroySoon();
  }

  terminate(): void {
    this.#socket.destroy();
  }
}

/** The connections whose requests need no node:http. */
export class PlainConnections {
  readonly #doors: Doors;
  readonly #requestMs: number;
  readonly #open = new Set<PlainConnection>();

  /**
   * @param doors - What to answer with.
   * @param requestMs - How long a new connection may stay silent.
   */
  constructor(doors: Doors, requestMs: number) {
    this.#doors = doors;
    this.#requestMs = requestMs;
  }

  /**
   * Sees to it that connections of a server come here first.
   *
   * @param server - Of node:http or node:https.
   * @param event - With which it takes up a connection.
   * @param own - The network of its port; undefined on the shared port.
   */
  takeFrom(server: Server, event: 'connection' | 'secureConnection', own: Network | undefined): void {
    const listeners = server.listeners(event);
    server.removeAllListeners(event);
    server.on(event, (socket: Socket) => {
      const forget = () => this.#open.delete(connection);
      const connection = new PlainConnection(socket, this.#doors, own, this.#requestMs, () => {
        forget();
        socket.off('close', forget);
        for (const listener of listeners) listener.call(server, socket);
      });
      this.#open.add(connection);
      socket.once('close', forget);
    });
  }

  /** Closes what is idle; the rest closes with its next answer. */
  drain(): void {
    for (const connection of this.#open) connection.drain();
  }

  /** Ends the connections that are still there. */
  terminate(): void {
    for (const connection of this.#open) connection.terminate();
  }
}
