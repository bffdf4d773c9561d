import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { WebSocketServer, type WebSocket } from 'ws';

import { refusedBy } from '../keys/permission';
import { invalidRequest, notAllowed, RpcError } from './errors';
import { networkAt, refusal, retryHeaders, type RpcContext } from './http';
import { errorText, NO_ID } from './json-rpc';
import type { Network } from './network';
import { Session, type SocketLimits, type SocketOwner } from './session';
import { REQUEST_ID } from '../runtime/request-id';
import { targetOf } from './target';
import type { Trace } from './trace';

const WS_PATH = /^\/ws\/v3\/(?<key>[^/]+)\/?$/u;
const PING_MS = 30_000;

const lines = ([name, value]: readonly string[]) => (name === undefined ? [] : [`${name}: ${value}`]);

/** Rejects a connection before it becomes a WebSocket. */
function refuse(socket: Duplex, error: RpcError, { request }: Trace): void {
  const body = errorText(NO_ID, error.toJSON());
  // Nothing else watches this connection: a client that does not close it would keep it open forever.
  socket.once('finish', () => socket.destroy());
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      ...lines([REQUEST_ID, request]),
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
  readonly #server: WebSocketServer;
  readonly #sessions = new Map<WebSocket, Session>();
  readonly #pingTimer: NodeJS.Timeout;
  readonly #leaving: NodeJS.Timeout[] = [];
  /** The ID of the request that is being upgraded. */
  #upgrading = '';

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
    this.#server.on('headers', (headers) => headers.push(...lines([REQUEST_ID, this.#upgrading])));
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
    let trace: Trace = { request: this.#context.requestId(request), began: performance.now(), key: '' };
    try {
      const { path, host } = targetOf(request);
      const key = WS_PATH.exec(path)?.groups?.['key'];
      if (key === undefined) throw invalidRequest('the path must be /ws/v3/<API_KEY>', 404);
      const network = networkAt(this.#context.addresses, host, own);
      trace = { ...trace, key, network: network.name };
      const identity = await this.#context.authenticate(key);
      trace.identity = identity;
      const { origin } = request.headers;
      const refused = refusedBy(identity.limits, { door: 'socket', origin, network: network.name });
      if (refused) throw notAllowed(refused.what);
      // A stop that has already begun does not know about this connection.
      if (this.#context.stopping()) throw new RpcError(503, 'Service Unavailable', { status: 503 });
      // The client may be gone by now, and its connection will not be closed again.
      if (socket.destroyed) return;
      const client = this.#context.admission.client(identity.id);
      socket.once('close', client.connect());
      this.#upgrading = trace.request;
      this.#server.handleUpgrade(request, socket, head, (webSocket) => {
        const session = this.#accept(webSocket, network, { trace, origin, client });
        socket.prependListener('data', (chunk: Buffer) => {
          session.arrived(chunk);
        });
      });
    } catch (error) {
      refuse(socket, refusal(this.#context, error, trace), trace);
    }
  }

  #accept(socket: WebSocket, network: Network, owner: SocketOwner): Session {
    const session = new Session(socket, network, owner, this.#context, this.#limits);
    this.#sessions.set(socket, session);
    const { sockets } = this.#context.metrics;
    sockets.inc({ network: network.name });
    socket.once('close', () => {
      this.#sessions.delete(socket);
      sockets.dec({ network: network.name });
    });
    return session;
  }

  /**
   * Closes the connections one after the other, with 1001, once their requests in progress are answered. Nothing is
   * closed in the first half of the time, in which load balancers notice that the service is leaving: clients that come
   * back are led elsewhere, and not all at once.
   */
  leave(ms: number): void {
    const sessions = [...this.#sessions.values()];
    for (const [i, session] of sessions.entries())
      this.#leaving.push(setTimeout(() => void session.drain(), (ms / 2) * (1 + i / sessions.length)));
  }

  /** Answers the requests in progress on every connection and closes it. */
  async drain(): Promise<void> {
    clearInterval(this.#pingTimer);
    for (const timer of this.#leaving) clearTimeout(timer);
    await Promise.all([...this.#sessions.values()].map((session) => session.drain()));
  }

  /** Closes the remaining connections. */
  terminate(): void {
    for (const socket of this.#sessions.keys()) socket.terminate();
    this.#server.close();
  }
}
