import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer, type WebSocket } from 'ws';

import type { Answer } from './dispatch';
import { internalError, invalidRequest, parseError, RpcError } from './errors';
import { networkAt, type Doors } from './http';
import { assertWithinBounds } from './json-bounds';
import { errorText } from './json-rpc';
import type { Network } from './network';
import { targetOf } from './target';

const WS_PATH = /^\/ws\/v3\/(?<key>[^/]+)\/?$/u;
const PING_MS = 30_000;

/** Close codes (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1001;
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const INTERNAL = 1011;
const TRY_AGAIN_LATER = 1013;

const CLOSE_CODES = new Map([
  [500, INTERNAL],
  [503, TRY_AGAIN_LATER],
]);

export type SocketLimits = { frameBytes: number; socketRequests: number };

/** One connection: frames in, answers out, and no more requests under way than allowed. */
class Session {
  readonly #socket: WebSocket;
  readonly #network: Network;
  readonly #key: string;
  readonly #doors: Doors;
  readonly #limit: number;
  /** Frames that wait until fewer requests are under way: those of one piece all come, though no more is read. */
  readonly #waiting: string[] = [];
  #active = 0;
  #closing = false;
  #alive = true;
  #idle: (() => void) | undefined;
  /** Closes the connection, once nothing is under way. */
  #goodbye: (() => void) | undefined;

  constructor(socket: WebSocket, network: Network, key: string, doors: Doors, limit: number) {
    this.#socket = socket;
    this.#network = network;
    this.#key = key;
    this.#doors = doors;
    this.#limit = limit;
    socket.on('pong', () => (this.#alive = true));
    // A frame that is too large or malformed: ws closes with the right code by itself (1009, 1007, 1002).
    socket.on('error', (error) => {
      doors.log.debug({ reason: error.message }, 'socket closed');
    });
    socket.on('message', (data, isBinary) => {
      // A pong comes behind all that was sent before it, which may be many requests.
      this.#alive = true;
      if (this.#closing) return;
      if (isBinary) this.#close(UNSUPPORTED_DATA, 'text frames only');
      else if (this.#active < this.#limit) void this.#frame(String(data));
      else this.#waiting.push(String(data));
    });
  }

  /** Ends a connection whose other side has gone without a word, or takes no answers, and asks again. */
  beat(): void {
    // It waits for as many answers as it may: nothing is read from it, no pong either.
    if (this.#socket.isPaused && this.#socket.bufferedAmount === 0) {
      this.#alive = true;
      return;
    }
    if (!this.#alive) {
      this.#socket.terminate();
      return;
    }
    this.#alive = false;
    this.#socket.ping();
  }

  async #frame(text: string): Promise<void> {
    this.#active += 1;
    if (this.#active >= this.#limit) this.#socket.pause();
    try {
      await this.#answer(text);
    } catch (error) {
      const known = error instanceof RpcError ? error : internalError(error);
      if (known.status === 500) this.#doors.log.error({ err: error }, 'unexpected error');
      await this.#send(errorText(null, known.toJSON()));
      this.#close(CLOSE_CODES.get(known.status) ?? POLICY_VIOLATION, known.message);
    } finally {
      this.#active -= 1;
      const next = this.#closing ? undefined : this.#waiting.shift();
      if (next !== undefined) void this.#frame(next);
      if (this.#socket.isPaused && this.#active < this.#limit) this.#socket.resume();
      if (this.#active === 0) {
        this.#goodbye?.();
        this.#idle?.();
      }
    }
  }

  async #answer(text: string): Promise<void> {
    // With every frame: a key that is revoked is out at once.
    const identity = await this.#doors.authenticate(this.#key);
    const caller = { network: this.#network, identity, transport: 'ws' } as const;
    const { dispatcher } = this.#doors;
    let value: unknown;
    let malformed: RpcError | undefined;
    try {
      assertWithinBounds(text);
      value = JSON.parse(text);
      if (Array.isArray(value)) malformed = invalidRequest('a frame carries one request; batches are sent over HTTP');
    } catch (error) {
      malformed = error instanceof RpcError ? error : parseError();
    }
    const { body, spent } = await new Promise<Answer>((resolve) => {
      if (malformed) dispatcher.malformed(caller, malformed, resolve);
      else dispatcher.request(caller, value, () => text, resolve);
    });
    if (body !== undefined) await this.#send(body);
    if (spent) this.#close(POLICY_VIOLATION, 'daily credit limit reached');
  }

  /** Resolves once the answer is handed to the system: who reads slowly is not read from either. */
  async #send(text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.send(text, () => {
        resolve();
      });
    });
  }

  /** Takes no more frames, and closes once those under way, which are paid for, are answered. */
  #close(code: number, reason: string): void {
    this.#closing = true;
    this.#goodbye ??= () => {
      this.#socket.close(code, reason);
    };
    if (this.#active === 0) this.#goodbye();
  }

  /** Takes no more frames, answers those under way unless the connection ends before, and says goodbye. */
  async drain(): Promise<void> {
    this.#closing = true;
    if (this.#active > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
        this.#socket.once('close', resolve);
      });
    }
    this.#socket.close(GOING_AWAY, 'the service is stopping');
  }
}

/** Turns a connection away before it becomes a WebSocket. */
function refuse(socket: Duplex, error: RpcError): void {
  const body = errorText(null, error.toJSON());
  // Nobody else watches over this connection any more: a client that does not close it would keep it for ever.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** The WebSocket door: `/ws/v3/<API_KEY>`. */
export class Sockets {
  readonly #doors: Doors;
  readonly #limits: SocketLimits;
  readonly #server: WebSocketServer;
  readonly #sessions = new Map<WebSocket, Session>();
  readonly #heart: NodeJS.Timeout;

  constructor(doors: Doors, limits: SocketLimits) {
    this.#doors = doors;
    this.#limits = limits;
    this.#server = new WebSocketServer({ noServer: true, maxPayload: limits.frameBytes, perMessageDeflate: false });
    this.#heart = setInterval(() => {
      for (const session of this.#sessions.values()) session.beat();
    }, PING_MS).unref();
  }

  /**
   * Takes over a connection that asks to become a WebSocket.
   *
   * @param own - The network of the port it came to; undefined on the shared port.
   * @param request - The upgrade request.
   * @param socket - Its connection.
   * @param head - Bytes that came after the request.
   */
  async upgrade(own: Network | undefined, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const { path, host } = targetOf(request);
      const key = WS_PATH.exec(path)?.groups?.['key'];
      if (key === undefined) throw invalidRequest('the address is /ws/v3/<API_KEY>', 404);
      const network = networkAt(this.#doors.addresses, host, own);
      await this.#doors.authenticate(key);
      // A stop that has begun knows of all connections but this one.
      if (this.#doors.stopping()) throw new RpcError(503, 'Service Unavailable', { status: 503 });
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        this.#accept(webSocket, network, key);
      });
    } catch (error) {
      const known = error instanceof RpcError ? error : internalError(error);
      if (known.status === 500) this.#doors.log.error({ err: error }, 'unexpected error');
      this.#doors.metrics.refused.inc({ reason: String(known.status) });
      refuse(socket, known);
    }
  }

  #accept(socket: WebSocket, network: Network, key: string): void {
    this.#sessions.set(socket, new Session(socket, network, key, this.#doors, this.#limits.socketRequests));
    const { sockets } = this.#doors.metrics;
    sockets.inc({ network: network.name });
    socket.once('close', () => {
      this.#sessions.delete(socket);
      sockets.dec({ network: network.name });
    });
  }

  /** Answers what is under way on every connection and closes it. */
  async drain(): Promise<void> {
    clearInterval(this.#heart);
    await Promise.all([...this.#sessions.values()].map((session) => session.drain()));
  }

  /** Ends the connections that are still there. */
  terminate(): void {
    for (const socket of this.#sessions.keys()) socket.terminate();
    this.#server.close();
  }
}
