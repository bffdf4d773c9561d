import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';

import type { KeyIdentity } from '../keys';
import { KEEP_ALIVE_MS } from '../runtime/listener';
import type { Answer } from './dispatch';
import { answerBody, answerText, CORS, networkAt, refusal, type Doors } from './http';
import type { Network } from './network';
import { PlainHeads, type PlainHead } from './plain-request';

/*
 * node:http spends more time on a request than all of this service does on an uncle (docs/service.md, "Measured"). So a
 * connection's requests are answered here as long as each is plain (see readPlainHead) and comes whole and alone, as
 * those of programs that ask again and again do. The first one that does not is handed to node:http unread, and the
 * connection with it: there is no second opinion here on what HTTP is.
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

/** Heads of answers, by status, as far as they are the same for a second. */
let heads = { second: NaN, kept: new Map<number, string>(), last: new Map<number, string>() };

/** The head of an answer without what it says of the body, and without the empty line. */
function headOf(status: number, isLast: boolean): string {
  const now = Date.now();
  const second = Math.floor(now / 1000);
  if (second !== heads.second) heads = { second, kept: new Map(), last: new Map() };
  const known = isLast ? heads.last : heads.kept;
  let head = known.get(status);
  if (head === undefined) {
    const date = lines(['date', new Date(now).toUTCString()]);
    // Joined, not added: an added text is put together anew each time that it is written.
    head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`, COMMON, date, isLast ? CLOSED : KEPT].join('');
    known.set(status, head);
  }
  return head;
}

/** The bytes of an answer, as text; `isAscii` says that the body is known to have a byte for each character. */
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

/** What all connections have in common. */
type Shared = {
  doors: Doors;
  heads: PlainHeads;
  /** How long a new connection may stay silent. */
  requestMs: number;
};

/** A connection all of whose requests so far were plain. */
class PlainConnection {
  readonly #socket: Socket;
  readonly #shared: Shared;
  readonly #own: Network | undefined;
  readonly #toHttp: () => void;
  #busy = false;
  #answered = false;
  /** What came while a request was under way. */
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
    // One character a byte.
    const text = chunk.toString('latin1');
    const end = text.indexOf(HEAD_END);
    const read = end < 0 ? undefined : this.#shared.heads.read(text.slice(0, end));
    const start = end + HEAD_END.length;
    if (read?.length === chunk.length - start && read.length <= this.#shared.doors.bodyBytes)
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
    // As node:http answers who connects and says nothing.
    else this.#socket.end(TOO_LATE, () => this.#socket.destroy());
  };

  /** The socket closes by itself; there is nobody left to tell. */
  readonly #onError = () => undefined;

  readonly #onDrain = () => {
    this.#socket.setTimeout(KEEP_ALIVE_MS).resume();
  };

  #answer({ key, host }: PlainHead, text: string, chunk: Buffer, start: number): void {
    const doors = this.#shared.doors;
    this.#busy = true;
    try {
      const network = networkAt(doors.addresses, host, this.#own);
      const ask = (identity: KeyIdentity) => {
        const caller = { network, identity, transport: 'http' } as const;
        if (NOT_ASCII.test(text)) answerBody(doors, caller, chunk.subarray(start), this.#send);
        else answerText(doors, caller, text, this.#send);
      };
      const known = doors.authenticate(key);
      if (known instanceof Promise) known.then(ask).catch(this.#refuse);
      else ask(known);
    } catch (error) {
      this.#refuse(error);
    }
  }

  readonly #refuse = (error: unknown) => {
    this.#send({ ...refusal(this.#shared.doors, error), isAscii: false });
  };

  readonly #send = ({ status, body, isAscii }: Pick<Answer, 'status' | 'body' | 'isAscii'>) => {
    const socket = this.#socket;
    this.#busy = false;
    if (socket.destroyed) return;
    const isLast = this.#ended || this.#shared.doors.stopping();
    const { text, isLatin } = message(body === undefined ? NO_CONTENT : status, body, isAscii, isLast);
    const taken = socket.write(text, isLatin ? 'latin1' : 'utf8');
    if (!this.#answered || !taken) socket.setTimeout(taken ? KEEP_ALIVE_MS : this.#shared.requestMs);
    this.#answered = true;
    if (isLast) socket.destroySoon();
    else if (this.#held) this.#handOver(this.#held);
    else if (!taken) {
      // Who does not read answers is not read from either, and has as long for the next piece as for a request.
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
  readonly #shared: Shared;
  readonly #open = new Set<PlainConnection>();

  /**
   * @param doors - What to answer with.
   * @param requestMs - How long a new connection may stay silent.
   */
  constructor(doors: Doors, requestMs: number) {
    this.#shared = { doors, heads: new PlainHeads(), requestMs };
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
      const connection = new PlainConnection(socket, this.#shared, own, () => {
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
