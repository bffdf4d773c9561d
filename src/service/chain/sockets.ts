import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer, type WebSocket } from 'ws';

import type { KeyIdentity } from '../keys';
import { refusedBy } from '../keys/permission';
import type { Client, Entry } from '../admission/admission';
import type { Held } from '../admission/held';
import type { Share } from '../admission/share';
import { UnfinishedMessage } from '../admission/unfinished';
import type { Answer } from './dispatch';
import { internalError, invalidRequest, notAllowed, parseError, RpcError } from './errors';
import { networkAt, refusal, REST_MS, retryHeaders, type RpcContext } from './http';
import { errorText, idOf, NO_ID, textIn } from './json-rpc';
import { type Json, piecesOf } from './json-text';
import { PIECE_BYTES } from './shares';
import { isForwarded } from './methods/forwarded';
import type { Network } from './network';
import { RequestScan, SHORT_REQUEST } from './request-scan';
import { ClientSubscriptions } from './subscriptions/client-subscriptions';
import type { Subscription } from './subscriptions/subscription';
import { targetOf } from './target';
import { Turns } from '../admission/turns';

const WS_PATH = /^\/ws\/v3\/(?<key>[^/]+)\/?$/u;
const PING_MS = 30_000;

/** Frames that are begun in one turn of the event loop: a fraction of a millisecond of work. */
const FRAMES_PER_TURN = 8;

/** Close codes (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
const INTERNAL = 1011;
const TRY_AGAIN_LATER = 1013;

const CLOSE_CODES = new Map([
  [500, INTERNAL],
  [503, TRY_AGAIN_LATER],
]);

const CREDITS_SPENT = 'daily credit limit reached';

/** Why subscriptions end, in at most 123 bytes. */
const CLOSE_REASONS = new Map([
  [402, CREDITS_SPENT],
  [403, 'the key may no longer have this subscription'],
]);

export type SocketLimits = {
  frameBytes: number;
  socketRequests: number;
  socketSubscriptions: number;
  notificationBytes: number;
  /** The time for a message to arrive, in milliseconds. */
  requestMs: number;
};

/** @returns The ID of the frame's request, for a refusal; null if the frame is long or not JSON. */
function idIn(data: Buffer): string {
  if (data.length > SHORT_REQUEST) return NO_ID;
  try {
    const text = textIn(data);
    return idOf(JSON.parse(text), () => text);
  } catch {
    return NO_ID;
  }
}

/** Who opened a connection, and from where. */
type SocketOwner = { readonly key: string; readonly origin: string | undefined; readonly client: Client };

/** One connection with a limit on concurrent requests. */
class Session {
  readonly #socket: WebSocket;
  readonly #network: Network;
  readonly #key: string;
  /** The `Origin` header of the connection. */
  readonly #origin: string | undefined;
  readonly #context: RpcContext;
  readonly #turns: Turns;
  readonly #limits: SocketLimits;
  /** Of the key, as long as the connection is open. */
  readonly #client: Client;
  /** Messages that wait or are being answered. */
  readonly #received: Share;
  readonly #unfinished: UnfinishedMessage;
  readonly #arriving: Share;
  /** The time limit of a message that is arriving. */
  #late: NodeJS.Timeout | undefined;
  readonly #subscriptions: ClientSubscriptions;
  /** Queued frames: those that arrived in one chunk are all delivered, even after reading is paused. */
  readonly #waiting: Buffer[] = [];
  /** Answers that the client has not read yet. */
  readonly #unread = new Set<Held>();
  #active = 0;
  /** Whether a limit of the key was exceeded: nothing is read for a while. */
  #resting = false;
  #closing = false;
  #alive = true;
  #idle: (() => void) | undefined;
  /** Closes the connection once no request is in progress. */
  #closeWhenIdle: (() => void) | undefined;

  constructor(
    socket: WebSocket,
    network: Network,
    { key, origin, client }: SocketOwner,
    context: RpcContext,
    turns: Turns,
    limits: SocketLimits,
  ) {
    this.#socket = socket;
    this.#network = network;
    this.#key = key;
    this.#origin = origin;
    this.#context = context;
    this.#turns = turns;
    this.#limits = limits;
    this.#client = client;
    this.#received = client.memory.within();
    this.#arriving = client.memory.within();
    this.#unfinished = new UnfinishedMessage(this.#arriving);
    const { metrics } = context;
    this.#subscriptions = new ClientSubscriptions({
      limit: limits.socketSubscriptions,
      memory: client.memory.within(),
      maxWaiting: limits.notificationBytes,
      charge: (subscription) => this.#charge(subscription),
      send: (text) => this.#send(text),
      failed: (why) => {
        const reason = CLOSE_REASONS.get(why.status) ?? why.message;
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
      // Nothing more is done for them.
      for (const memory of this.#unread) memory.leave();
      this.#messageEnded();
      this.#received.release();
      this.#arriving.release();
    });
    socket.on('pong', () => (this.#alive = true));
    // For a frame that is too large or malformed, ws closes with the right code by itself (1009, 1007, 1002).
    socket.on('error', (error) => {
      context.log.debug({ reason: error.message }, 'socket closed');
    });
    // Never a list of buffers or an ArrayBuffer: `binaryType` is its default. Clients such as web3.py send their
    // requests in binary frames; both kinds hold JSON, and both are answered with a text frame.
    socket.on('message', (data: Buffer) => {
      // A pong arrives behind everything sent before it, which may be many requests, so any message counts.
      this.#alive = true;
      if (this.#closing) return;
      try {
        this.#received.charge(data.length);
      } catch (error) {
        void this.#limited(data, error as RpcError);
        return;
      }
      if (this.#active < this.#limits.socketRequests && !this.#resting) void this.#frame(data);
      else this.#waiting.push(data);
    });
  }

  /** Counts the next bytes of the connection, before they are read as frames. */
  arrived(chunk: Buffer): void {
    if (this.#closing) return;
    try {
      this.#unfinished.push(chunk);
    } catch (error) {
      const { status, message } = error as RpcError;
      this.#client.overdraft ??= this;
      if (this.#client.overdraft !== this) {
        this.#context.metrics.refused.inc({ reason: String(status) });
        this.#breakOff(CLOSE_CODES.get(status) ?? POLICY_VIOLATION, message);
        return;
      }
    }
    // Many small fragments take more than their bytes.
    if (this.#unfinished.weight > 2 * this.#limits.frameBytes + PIECE_BYTES)
      this.#breakOff(TOO_BIG, `a message in too many pieces, of more than ${this.#limits.frameBytes} bytes together`);
    else if (this.#unfinished.isOpen) this.#late ??= this.#limitTime();
    else this.#messageEnded();
  }

  #messageEnded(): void {
    clearTimeout(this.#late);
    this.#late = undefined;
    if (this.#client.overdraft === this) this.#client.overdraft = undefined;
  }

  #limitTime(): NodeJS.Timeout {
    const { requestMs } = this.#limits;
    return setTimeout(() => {
      this.#late = undefined;
      // It cannot go on while it is not read from.
      if (this.#socket.isPaused) this.#late = this.#limitTime();
      else this.#breakOff(POLICY_VIOLATION, `a message took longer than ${requestMs / 1000} seconds to arrive`);
    }, requestMs).unref();
  }

  /** Closes a connection in the middle of a message: nothing more is read from it. */
  #breakOff(code: number, reason: string): void {
    this.#closing = true;
    this.#subscriptions.close();
    this.#socket.close(code, reason);
    this.#socket.pause();
    setTimeout(() => {
      this.#socket.terminate();
    }, REST_MS).unref();
  }

  /** Terminates a connection whose client is gone or accepts no responses, and sends the next ping. */
  heartbeat(): void {
    // The request limit is reached, or the connection rests: nothing is being read, not even a pong.
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

  async #frame(data: Buffer): Promise<void> {
    this.#active += 1;
    if (this.#active >= this.#limits.socketRequests) this.#socket.pause();
    try {
      await this.#turns.next(this.#key);
      await this.#answer(data);
    } catch (error) {
      const known = error instanceof RpcError ? error : internalError(error);
      if (known.status === 500) this.#context.log.error({ err: error }, 'unexpected error');
      await this.#send(errorText(NO_ID, known.toJSON()));
      this.#close(CLOSE_CODES.get(known.status) ?? POLICY_VIOLATION, known.message);
    } finally {
      this.#received.give(data.length);
      this.#active -= 1;
      this.#continue();
      if (this.#active === 0) {
        this.#closeWhenIdle?.();
        this.#idle?.();
      }
    }
  }

  /** Goes on with the next frame, and with reading. */
  #continue(): void {
    if (this.#resting) return;
    const next = this.#closing || this.#active >= this.#limits.socketRequests ? undefined : this.#waiting.shift();
    if (next !== undefined) void this.#frame(next);
    if (this.#socket.isPaused && this.#active < this.#limits.socketRequests) this.#socket.resume();
  }

  async #answer(data: Buffer): Promise<void> {
    // Checked for every frame, so that a revoked key stops working at once.
    const identity = await this.#context.authenticate(this.#key);
    let entry: Entry;
    try {
      entry = this.#client.enter(Math.max(1, Math.ceil(data.length / PIECE_BYTES)));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      await this.#limited(data, error);
      return;
    }
    try {
      await this.#dispatch(identity, data, entry.answer);
    } finally {
      entry.leave();
    }
  }

  /** Answers a frame that exceeds a limit of the key, and reads no more for a while. */
  async #limited(data: Buffer, error: RpcError): Promise<void> {
    this.#context.metrics.refused.inc({ reason: String(error.status) });
    if (!this.#resting) {
      this.#resting = true;
      this.#socket.pause();
      setTimeout(() => {
        this.#resting = false;
        this.#continue();
      }, REST_MS).unref();
    }
    await this.#send(errorText(idIn(data), error.toJSON()));
  }

  async #dispatch(identity: KeyIdentity, data: Buffer, memory: Held): Promise<void> {
    const { dispatcher, answerMs } = this.#context;
    const deadline = performance.now() + answerMs;
    const subscriptions = this.#subscriptions.forRequest();
    this.#unread.add(memory);
    const origin = this.#origin;
    const who = { network: this.#network, identity, transport: 'ws', origin } as const;
    const caller = { ...who, deadline, subscriptions, memory };
    let text = '';
    let value: unknown;
    let malformed: RpcError | undefined;
    let { length } = data;
    try {
      if (data.length > SHORT_REQUEST) this.#scan(data);
      text = textIn(data);
      value = JSON.parse(text);
      if (Array.isArray(value))
        malformed = invalidRequest('a frame must hold a single request; send batches over HTTP');
    } catch (error) {
      // A frame that is refused before it is parsed costs nothing by its length.
      if (error instanceof RpcError) length = 0;
      malformed = error instanceof RpcError ? error : parseError();
    }
    const { body, spent } = await new Promise<Answer>((resolve) => {
      if (malformed) dispatcher.malformed(caller, malformed, resolve, undefined, length);
      else dispatcher.request(caller, value, () => text, resolve, length);
    });
    memory.complete();
    const sent = body === undefined ? undefined : this.#send(body);
    subscriptions.answered();
    await sent;
    this.#unread.delete(memory);
    if (spent) this.#close(POLICY_VIOLATION, CREDITS_SPENT);
  }

  /** Charges a notification, if the key is still valid. */
  async #charge(subscription: Subscription): Promise<void> {
    const identity = await this.#context.authenticate(this.#key);
    const owner = { network: this.#network, identity, origin: this.#origin };
    await this.#context.dispatcher.notification(owner, subscription);
    this.#context.metrics.notifications.inc({ network: this.#network.name, kind: subscription.kind });
  }

  /** @throws {RpcError} If the frame would take too long to parse. */
  #scan(data: Buffer): void {
    // A frame holds one request: the list of a batch is refused once it is parsed, or at its second item.
    const mayBeLong = (method: string) => method === 'eth_subscribe' || isForwarded(this.#network, method);
    new RequestScan({ batchItems: this.#context.batchItems, mayBeLong }).push(data);
  }

  /**
   * Resolves once the response is handed to the operating system. Backpressure: a slow reader is not read from
   * meanwhile.
   */
  async #send(json: Json): Promise<void> {
    const pieces = piecesOf(json);
    await new Promise<void>((resolve) => {
      // A long text is one message of several frames, among which no other message can come.
      for (const piece of pieces.slice(0, -1)) this.#socket.send(piece, { binary: false, fin: false });
      this.#socket.send(pieces.at(-1) ?? '', { binary: false, fin: true }, () => {
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

const lines = ([name, value]: readonly string[]) => (name === undefined ? [] : [`${name}: ${value}`]);

/** Rejects a connection before it becomes a WebSocket. */
function refuse(socket: Duplex, error: RpcError): void {
  const body = errorText(NO_ID, error.toJSON());
  // Nothing else watches this connection: a client that does not close it would keep it open forever.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      ...lines(retryHeaders(error)),
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
  readonly #turns = new Turns(FRAMES_PER_TURN);
  readonly #server: WebSocketServer;
  readonly #sessions = new Map<WebSocket, Session>();
  readonly #pingTimer: NodeJS.Timeout;

  constructor(context: RpcContext, limits: SocketLimits) {
    this.#context = context;
    this.#limits = limits;
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: limits.frameBytes,
      perMessageDeflate: false,
      // One frame of a connection at a time, however many arrive in one piece: the others have their turn in between.
      allowSynchronousEvents: false,
    });
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
      const identity = await this.#context.authenticate(key);
      const { origin } = request.headers;
      const refused = refusedBy(identity.limits, { door: 'socket', origin, network: network.name });
      if (refused) throw notAllowed(refused.what);
      // A stop that has already begun does not know about this connection.
      if (this.#context.stopping()) throw new RpcError(503, 'Service Unavailable', { status: 503 });
      // The client may be gone by now, and its connection will not be closed again.
      if (socket.destroyed) return;
      const client = this.#context.admission.client(identity.id);
      socket.once('close', client.connect());
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        const session = this.#accept(webSocket, network, { key, origin, client });
        socket.prependListener('data', (chunk: Buffer) => {
          session.arrived(chunk);
        });
      });
    } catch (error) {
      refuse(socket, refusal(this.#context, error));
    }
  }

  #accept(socket: WebSocket, network: Network, owner: SocketOwner): Session {
    const session = new Session(socket, network, owner, this.#context, this.#turns, this.#limits);
    this.#sessions.set(socket, session);
    const { sockets } = this.#context.metrics;
    sockets.inc({ network: network.name });
    socket.once('close', () => {
      this.#sessions.delete(socket);
      sockets.dec({ network: network.name });
    });
    return session;
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
