import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { Admission, type Client } from './admission';
import { clientAt } from './client-address';
import { watchLiveness } from './liveness';
import { noteBelow, reset } from './reset';

/** Bytes per second that a client must accept, on average, of a response that takes longer than its time. */
const SLOWEST_READER = 8 * 1024;

/** What a request takes besides its head, which takes twice its length. */
const REQUEST_BYTES = 5 << 10;

/**
 * Whose requests wait behind others of their connection, on all listeners together. A key shows only when it is their
 * turn, so they are charged to the address: whoever opens many connections could otherwise fill the memory.
 */
const pipelining = new Admission(
  { requests: Infinity, memory: 32 << 20, allMemory: 64 << 20 },
  (exceeded) => new Error(exceeded),
);

/**
 * Charges a request to the memory of its address until its response is sent.
 *
 * @throws If the address has no room left.
 */
function chargeWaiting(response: ServerResponse, client: Client): void {
  const head = response.req.rawHeaders.reduce((sum, { length }) => sum + length, 0);
  const memory = client.memory.within();
  memory.charge(REQUEST_BYTES + 2 * head);
  response.once('close', () => {
    memory.release();
    client.settle();
  });
}

/**
 * Bytes that are read of a body whose answer was sent before its end. node:http reads all of it, as fast as it comes,
 * to find the next request.
 */
const REST_BYTES = 1 << 20;

/** Closes a connection that goes on with such a body. */
function limitRest({ req }: ServerResponse, socket: Socket): void {
  let left = REST_BYTES;
  const count = ({ length }: Buffer) => {
    left -= length;
    if (left < 0) socket.destroy();
  };
  socket.on('data', count);
  // node:http now reads the connection as a stream, which still waits for the read that its parser took over.
  socket.push(Buffer.alloc(0));
  req.once('close', () => socket.off('data', count));
}

/** The event with which a server reports a connection; with TLS, once its handshake is complete. */
export type Accepting = 'connection' | 'secureConnection';

type Connection = {
  /** Responses that are not sent yet, the one that is being sent first. */
  readonly unsent: ServerResponse[];
  /** The first of them at the last check: since when, in milliseconds, and how many bytes had been sent by then. */
  checked?: { readonly response: ServerResponse; readonly since: number; readonly sent: number } | undefined;
};

/** Tells the open connections of a server apart; those below and above TLS have the same. */
const peerOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

const sentOn = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/**
 * Has a connection close after a response. node:http then says so in its head.
 *
 * @param earlier - Responses of the connection that come before: it stays open after these.
 */
function closeAfter(response: ServerResponse, earlier: readonly ServerResponse[] = []): void {
  if (response.headersSent) return;
  response.shouldKeepAlive = false;
  for (const each of earlier) if (!each.headersSent) each.shouldKeepAlive = true;
}

/** Calls back once for each connection: one that offers an upgrade and goes on without it is reported again. */
function onceEach(server: Server, event: Accepting, begin: (socket: Socket) => void): void {
  const known = new WeakSet<Socket>();
  server.on(event, (socket: Socket) => {
    if (known.has(socket)) return;
    known.add(socket);
    begin(socket);
  });
}

/**
 * Every connection of a server, from its acceptance to its end: which ones are idle, and what each still has to be
 * sent. It keeps a list for each connection rather than one of all responses: a set that changes with every request
 * would hold its old entries until the next full garbage collection.
 */
export class Connections {
  /** The TCP connections. With TLS, the handshake may not be complete, or not even begun. */
  readonly accepted = new Set<Socket>();
  readonly #pipelined: number;
  readonly #open = new Map<Socket, Connection>();
  /** Those without a request in progress, idle the longest first; with TLS, also those without a complete handshake. */
  readonly #idle = new Set<Socket>();
  /** Whether each connection closes after its response. */
  #isClosing = false;
  /** Called for every response that is sent. */
  onSent: () => void = () => undefined;

  /**
   * @param server - The server.
   * @param event - How it reports connections.
   * @param limits - How many connections there may be, and how many requests of one may wait for each other. A
   * connection with more is closed.
   */
  constructor(server: Server, event: Accepting, limits: { connections: number; pipelined: number }) {
    this.#pipelined = limits.pipelined;
    const handshaking = new Map<string, Socket>();
    onceEach(server, event, (socket) => {
      const tcp = handshaking.get(peerOf(socket));
      this.#idle.delete(tcp ?? socket);
      handshaking.delete(peerOf(socket));
      // Those that have closed already have no port, and look the same.
      if (tcp !== undefined && socket.remotePort !== undefined) noteBelow(socket, tcp);
      const unsent: ServerResponse[] = [];
      this.#open.set(socket, { unsent });
      watchLiveness(socket, unsent);
      this.#beginIdle(socket);
      socket.once('close', () => {
        this.#open.delete(socket);
        // node:http closes the one that was being sent; it forgets those that waited for it.
        for (const response of [...unsent]) if (response.socket === null) response.emit('close');
      });
    });
    // Without TLS it is the last listener of this event: the new connection is already counted as idle.
    onceEach(server, 'connection', (socket) => {
      const peer = peerOf(socket);
      this.accepted.add(socket);
      socket.once('close', () => {
        this.accepted.delete(socket);
        if (handshaking.get(peer) === socket) handshaking.delete(peer);
      });
      if (event === 'secureConnection') {
        handshaking.set(peer, socket);
        this.#beginIdle(socket);
      }
      if (this.accepted.size > limits.connections) this.#replaceIdle(socket);
    });
  }

  /** The open connections; with TLS, those whose handshake is complete. */
  get open(): Iterable<Socket> {
    return this.#open.keys();
  }

  /** The responses of a connection that are not sent yet, in order. */
  unsentOn(socket: Socket): readonly ServerResponse[] {
    return this.#open.get(socket)?.unsent ?? [];
  }

  /** Takes a connection out of those that give way to new ones: it is no longer one of HTTP. */
  takeOver(socket: Socket): void {
    this.#idle.delete(socket);
  }

  /** Counts a request. Until its response is sent, its connection is not idle. */
  begin(response: ServerResponse): void {
    const { socket } = response.req;
    const unsent = this.#open.get(socket)?.unsent;
    if (unsent === undefined) return;
    this.#idle.delete(socket);
    if (this.#isClosing) closeAfter(response, unsent);
    if (unsent.push(response) > 1) this.#beginBehind(response, unsent.length);
    response.on('close', () => {
      const at = unsent.indexOf(response);
      if (at >= 0) unsent.splice(at, 1);
      if (unsent.length === 0 && !socket.destroyed) this.#idle.add(socket);
      if (!response.req.complete && !socket.destroyed) limitRest(response, socket);
      this.onSent();
    });
  }

  /** From now on, each connection closes after its last response, which says so. */
  closeAfterResponses(): void {
    this.#isClosing = true;
    for (const { unsent } of this.#open.values()) {
      const last = unsent.at(-1);
      if (last !== undefined) closeAfter(last);
    }
  }

  /**
   * Closes each connection whose response nobody makes or reads: it is not sent after so much time, and the client has
   * accepted less than a slow line would carry since then.
   */
  closeStuck(limitMs: number): void {
    const now = performance.now();
    for (const [socket, connection] of this.#open) {
      const [response] = connection.unsent;
      if (response === undefined || connection.checked?.response !== response) {
        connection.checked = response && { response, since: now, sent: sentOn(socket) };
        continue;
      }
      const late = now - connection.checked.since - limitMs;
      if (late > 0 && (sentOn(socket) - connection.checked.sent) * 1000 < late * SLOWEST_READER) reset(socket);
    }
  }

  /** A connection with too many requests, or whose address has too many, is closed. */
  #beginBehind(response: ServerResponse, waiting: number): void {
    const { socket } = response.req;
    try {
      if (waiting > this.#pipelined) socket.destroy();
      else chargeWaiting(response, pipelining.client(clientAt(socket.remoteAddress ?? '')));
    } catch {
      socket.destroy();
    }
  }

  #beginIdle(socket: Socket): void {
    this.#idle.add(socket);
    socket.once('close', () => this.#idle.delete(socket));
  }

  #replaceIdle(newest: Socket): void {
    const [longest = newest] = this.#idle;
    this.#idle.delete(longest);
    longest.destroy();
  }
}
