import type { WebSocket } from 'ws';

import type { KeyIdentity } from '../keys';
import type { Client, Entry } from '../admission/admission';
import type { Held } from '../admission/held';
import type { Share } from '../admission/share';
import { ArrivingMessage, type MessageLimits } from './arriving-message';
import { closeCodeOf, GOING_AWAY, POLICY_VIOLATION, TRY_AGAIN_LATER } from './close-codes';
import type { Answer } from './caller';
import { invalidRequest, parseError, RpcError } from './errors';
import { refusal, REST_MS, type RpcContext } from './http';
import { errorText, idOf, NO_ID, textIn } from './json-rpc';
import { type Json, piecesOf } from './json-text';
import { PIECE_BYTES } from './shares';
import { mayBeLong } from './methods';
import type { Network } from './network';
import { RequestScan, SHORT_REQUEST } from './request-scan';
import { ClientSubscriptions } from './subscriptions/client-subscriptions';
import type { Subscription } from './subscriptions/subscription';
import type { Trace } from './trace';

export type SocketLimits = MessageLimits & {
  socketRequests: number;
  socketSubscriptions: number;
  notificationBytes: number;
};

const CREDITS_SPENT = 'daily credit limit reached';

/** Why subscriptions end, in at most 123 bytes. */
const CLOSE_REASONS = new Map([
  [402, CREDITS_SPENT],
  [403, 'the key may no longer have this subscription'],
]);

/** Who opened a connection, and from where. */
export type SocketOwner = { readonly trace: Trace; readonly origin: string | undefined; readonly client: Client };

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

/** One WebSocket with a limit on concurrent requests. */
export class Session {
  readonly #socket: WebSocket;
  readonly #network: Network;
  /** Of the request that opened the connection. */
  readonly #trace: Trace;
  /** The `Origin` header of the connection. */
  readonly #origin: string | undefined;
  readonly #context: RpcContext;
  readonly #limits: SocketLimits;
  /** Of the key, as long as the connection is open. */
  readonly #client: Client;
  /** Messages that wait or are being answered. */
  readonly #received: Share;
  readonly #arriving: ArrivingMessage;
  readonly #subscriptions: ClientSubscriptions;
  /** Queued frames: those that arrived in one chunk are all delivered, even after reading is paused. */
  readonly #waiting: Buffer[] = [];
  /** Answers that the client has not read yet. */
  readonly #unread = new Set<Held>();
  #active = 0;
  #frames = 0;
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
    { trace, origin, client }: SocketOwner,
    context: RpcContext,
    limits: SocketLimits,
  ) {
    this.#socket = socket;
    this.#network = network;
    this.#trace = trace;
    this.#origin = origin;
    this.#context = context;
    this.#limits = limits;
    this.#client = client;
    this.#received = client.memory.within();
    const { metrics } = context;
    this.#arriving = new ArrivingMessage(client, limits, {
      isPaused: () => socket.isPaused,
      refused: (status) => metrics.refused.inc({ reason: String(status) }),
      breakOff: (code, reason) => {
        this.#breakOff(code, reason);
      },
    });
    this.#subscriptions = new ClientSubscriptions({
      limit: limits.socketSubscriptions,
      memory: client.memory.within(),
      maxWaiting: limits.notificationBytes,
      charge: (subscription) => this.#charge(subscription),
      send: (text) => this.#send(text),
      failed: (why) => {
        const reason = CLOSE_REASONS.get(why.status) ?? why.message;
        this.#close(closeCodeOf(why.status), reason);
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
      this.#arriving.end();
      this.#received.release();
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
        void this.#limited(data, error as RpcError, this.#traceOf());
        return;
      }
      if (this.#active < this.#limits.socketRequests && !this.#resting) void this.#frame(data);
      else this.#waiting.push(data);
    });
  }

  /** Counts the next bytes of the connection, before they are read as frames. */
  arrived(chunk: Buffer): void {
    if (!this.#closing) this.#arriving.push(chunk);
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
    const trace = this.#traceOf();
    try {
      await this.#client.begin();
      await this.#answer(data, trace);
    } catch (error) {
      const known = refusal(this.#context, error, trace);
      await this.#send(errorText(NO_ID, known.toJSON()));
      this.#close(closeCodeOf(known.status), known.message);
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

  /** Each frame has the ID of its connection, and a number. */
  #traceOf(): Trace {
    const { request, key, network, identity } = this.#trace;
    this.#frames += 1;
    return { request: `${request}.${this.#frames}`, began: performance.now(), key, network, identity };
  }

  async #answer(data: Buffer, trace: Trace): Promise<void> {
    // Checked for every frame, so that a revoked key stops working at once.
    const identity = await this.#context.authenticate(trace.key);
    trace.identity = identity;
    let entry: Entry;
    try {
      entry = this.#client.enter(Math.max(1, Math.ceil(data.length / PIECE_BYTES)));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      await this.#limited(data, error, trace);
      return;
    }
    try {
      await this.#dispatch(identity, data, entry.answer, trace);
    } finally {
      entry.leave();
    }
  }

  /** Answers a frame that exceeds a limit of the key, and reads no more for a while. */
  async #limited(data: Buffer, error: RpcError, trace: Trace): Promise<void> {
    refusal(this.#context, error, trace);
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

  async #dispatch(identity: KeyIdentity, data: Buffer, memory: Held, trace: Trace): Promise<void> {
    const { dispatcher, answerMs } = this.#context;
    const deadline = performance.now() + answerMs;
    const subscriptions = this.#subscriptions.forRequest();
    this.#unread.add(memory);
    const caller = {
      network: this.#network,
      identity,
      origin: this.#origin,
      transport: 'ws',
      trace,
      client: this.#client,
      deadline,
      subscriptions,
      memory,
    } as const;
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
    const identity = await this.#context.authenticate(this.#trace.key);
    await this.#context.dispatcher.notification(
      { network: this.#network, identity, origin: this.#origin, client: this.#client },
      subscription,
    );
    this.#context.metrics.notifications.inc({ network: this.#network.name, kind: subscription.kind });
  }

  /** @throws {RpcError} If the frame would take too long to parse. */
  #scan(data: Buffer): void {
    // A frame holds one request: the list of a batch is refused once it is parsed, or at its second item.
    const isLong = (method: string) => method === 'eth_subscribe' || mayBeLong(this.#network, method);
    new RequestScan({ batchItems: this.#context.batchItems, mayBeLong: isLong }).push(data);
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
