import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer, type WebSocket } from 'ws';

import type { Answer } from './dispatch';
import { internalError, invalidRequest, parseError, RpcError } from './errors';
import { networkAt, type RpcContext } from './http';
import { assertWithinBounds } from './json-bounds';
import { errorText } from './json-rpc';
import type { Network } from './network';
import { ClientSubscriptions } from './subscriptions/client-subscriptions';
import type { SubscriptionKind } from './subscriptions/subscription';
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

const CREDITS_SPENT = 'daily credit limit reached';

export type SocketLimits = {
  frameBytes: number;
  socketRequests: number;
  socketSubscriptions: number;
  notificationBytes: number;
};

/** One connection with a limit on concurrent requests. */
class Session {
  readonly #socket: WebSocket;
  readonly #network: Network;
  readonly #key: string;
  readonly #context: RpcContext;
  readonly #limit: number;
  readonly #subscriptions: ClientSubscriptions;
  /** Queued frames: those that arrived in one chunk are all delivered, even after reading is paused. */
  readonly #waiting: string[] = [];
  #active = 0;
  #closing = false;
  #alive = true;
  #idle: (() => void) | undefined;
  /** Closes the connection once no request is in progress. */
  #closeWhenIdle: (() => void) | undefined;

  constructor(socket: WebSocket, network: Network, key: string, context: RpcContext, limits: SocketLimits) {
    this.#socket = socket;
    this.#network = network;
    this.#key = key;
    this.#context = context;
    this.#limit = limits.socketRequests;
    const { metrics } = context;
    this.#subscriptions = new ClientSubscriptions({
      limit: limits.socketSubscriptions,
      maxWaiting: limits.notificationBytes,
      charge: (kind) => this.#charge(kind),
      send: (text) => this.#send(text),
      failed: (why) => {
        const reason = why.status === 402 ? CREDITS_SPENT : why.message;
        this.#close(CLOSE_CODES.get(why.status) ?? POLICY_VIOLATION, reason);
      },
      tooSlow: () => {
        this.#closing = true;
        // At once: a response that the client does not read would hold it up.
        socket.close(TRY_AGAIN_LATER, 'notifications are read too slowly');
      },
      counted: (kind, change) => {
        metrics.subscriptions.inc({ network: network.name, kind }, change);
      },
    });
    socket.once('close', () => {
      this.#subscriptions.close();
    });
    socket.on('pong', () => (this.#alive = true));
    // For a frame that is too large or malformed, ws closes with the right code by itself (1009, 1007, 1002).
    socket.on('error', (error) => {
      context.log.debug({ reason: error.message }, 'socket closed');
    });
    socket.on('message', (data, isBinary) => {
      // A pong arrives behind everything sent before it, which may be many requests, so any message counts.
      this.#alive = true;
      if (this.#closing) return;
      if (isBinary) this.#close(UNSUPPORTED_DATA, 'text frames only');
      else if (this.#active < this.#limit) void this.#frame(String(data));
      else this.#waiting.push(String(data));
    });
  }

  /** Terminates a connection whose client is gone or accepts no responses, and sends the next ping. */
  heartbeat(): void {
    // The request limit is reached: nothing is being read, not even a pong.
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
      if (known.status === 500) this.#context.log.error({ err: error }, 'unexpected error');
      await this.#send(errorText(null, known.toJSON()));
      this.#close(CLOSE_CODES.get(known.status) ?? POLICY_VIOLATION, known.message);
    } finally {
      this.#active -= 1;
      const next = this.#closing ? undefined : this.#waiting.shift();
      if (next !== undefined) void this.#frame(next);
      if (this.#socket.isPaused && this.#active < this.#limit) this.#socket.resume();
      if (this.#active === 0) {
        this.#closeWhenIdle?.();
        this.#idle?.();
      }
    }
  }

  async #answer(text: string): Promise<void> {
    // Checked for every frame, so that a revoked key stops working at once.
    const identity = await this.#context.authenticate(this.#key);
    const subscriptions = this.#subscriptions.forRequest();
    const caller = { network: this.#network, identity, transport: 'ws', subscriptions } as const;
    const { dispatcher } = this.#context;
    let value: unknown;
    let malformed: RpcError | undefined;
    try {
      assertWithinBounds(text);
      value = JSON.parse(text);
      if (Array.isArray(value))
        malformed = invalidRequest('a frame must hold a single request; send batches over HTTP');
    } catch (error) {
      malformed = error instanceof RpcError ? error : parseError();
    }
    const { body, spent } = await new Promise<Answer>((resolve) => {
      if (malformed) dispatcher.malformed(caller, malformed, resolve);
      else dispatcher.request(caller, value, () => text, resolve);
    });
    const sent = body === undefined ? undefined : this.#send(body);
    subscriptions.answered();
    await sent;
    if (spent) this.#close(POLICY_VIOLATION, CREDITS_SPENT);
  }

  /** Charges a notification, if the key is still valid. */
  async #charge(kind: SubscriptionKind): Promise<void> {
    const identity = await this.#context.authenticate(this.#key);
    await this.#context.dispatcher.notification({ network: this.#network, identity }, kind);
    this.#context.metrics.notifications.inc({ network: this.#network.name, kind });
  }

  /**
   * Resolves once the response is handed to the operating system. Backpressure: a slow reader is not read from
   * meanwhile.
   */
  async #send(text: string): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.send(text, () => {
        resolve();
      });
    });
  }

  /** Accepts no more frames, and closes once the requests in progress, which are paid for, are answered. */
  #close(code: number, reason: string): void {
    this.#closing = true;
    this.#subscriptions.close();
    this.#closeWhenIdle ??= () => {
      this.#socket.close(code, reason);
    };
    if (this.#active === 0) this.#closeWhenIdle();
  }

  /** Accepts no more frames, answers those in progress unless the connection ends first, and closes it. */
  async drain(): Promise<void> {
    this.#closing = true;
    this.#subscriptions.close();
    if (this.#active > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
        this.#socket.once('close', resolve);
      });
    }
    this.#socket.close(GOING_AWAY, 'the service is stopping');
  }
}

/** Rejects a connection before it becomes a WebSocket. */
function refuse(socket: Duplex, error: RpcError): void {
  const body = errorText(null, error.toJSON());
  // Nothing else watches this connection: a client that does not close it would keep it open forever.
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

/** The WebSocket endpoint: `/ws/v3/<API_KEY>`. */
export class Sockets {
  readonly #context: RpcContext;
  readonly #limits: SocketLimits;
  readonly #server: WebSocketServer;
  readonly #sessions = new Map<WebSocket, Session>();
  readonly #pingTimer: NodeJS.Timeout;

  constructor(context: RpcContext, limits: SocketLimits) {
    this.#context = context;
    this.#limits = limits;
    this.#server = new WebSocketServer({ noServer: true, maxPayload: limits.frameBytes, perMessageDeflate: false });
    this.#pingTimer = setInterval(() => {
      for (const session of this.#sessions.values()) session.heartbeat();
    }, PING_MS).unref();
  }

  /**
   * Handles a request to upgrade to WebSocket.
   *
   * @param own - The network of the port; undefined on the shared port.
   * @param request - The upgrade request.
   * @param socket - Its connection.
   * @param head - Bytes after the request's head.
   */
  async upgrade(own: Network | undefined, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    try {
      const { path, host } = targetOf(request);
      const key = WS_PATH.exec(path)?.groups?.['key'];
      if (key === undefined) throw invalidRequest('the path must be /ws/v3/<API_KEY>', 404);
      const network = networkAt(this.#context.addresses, host, own);
      await this.#context.authenticate(key);
      // A stop that has already begun does not know about this connection.
      if (this.#context.stopping()) throw new RpcError(503, 'Service Unavailable', { status: 503 });
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        this.#accept(webSocket, network, key);
      });
    } catch (error) {
      const known = error instanceof RpcError ? error : internalError(error);
      if (known.status === 500) this.#context.log.error({ err: error }, 'unexpected error');
      this.#context.metrics.refused.inc({ reason: String(known.status) });
      refuse(socket, known);
    }
  }

  #accept(socket: WebSocket, network: Network, key: string): void {
    this.#sessions.set(socket, new Session(socket, network, key, this.#context, this.#limits));
    const { sockets } = this.#context.metrics;
    sockets.inc({ network: network.name });
    socket.once('close', () => {
      this.#sessions.delete(socket);
      sockets.dec({ network: network.name });
    });
  }

  /** Answers the requests in progress on every connection and closes it. */
  async drain(): Promise<void> {
    clearInterval(this.#pingTimer);
    await Promise.all([...this.#sessions.values()].map((session) => session.drain()));
  }

  /** Closes the remaining connections. */
  terminate(): void {
    for (const socket of this.#sessions.keys()) socket.terminate();
    this.#server.close();
  }
}
