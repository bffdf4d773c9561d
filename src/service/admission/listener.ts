import { readFileSync } from 'node:fs';
import http, { type RequestListener, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';

import { ConfigError } from '../runtime/config';
import { Connections } from './connections';
import { Incoming } from './incoming';
import { reset } from './reset';
import { decideUpgrades, type UpgradeHandler } from './upgrades';

/**
 * Longer than load balancers keep idle connections, so that this side never closes a connection that is about to be
 * used.
 */
const KEEP_ALIVE_MS = 65_000;

/** The time that a client may take to send the head of a request; its body may take longer. */
const HEAD_MS = 30_000;

/** The interval at which the request timeouts are checked. */
const CHECK_MS = 5_000;

/**
 * Connections that may wait to be accepted, at most (Linux grants no more than `net.core.somaxconn`, 4096 by default).
 * With node's 511, a flood of short connections made the kernel drop packets of clients that then sent them again, so
 * connections of clients that were long gone went on arriving for seconds.
 */
const BACKLOG = 4096;

/** Paths of PEM files. */
export type TlsFiles = { readonly cert: string; readonly key: string };

export type ListenerLimits = {
  /** At the maximum number of connections, a new one replaces the one that has been idle the longest. */
  connections?: number;
  /** Time of a client for a request, and to accept the next piece of a response, in milliseconds. */
  requestMs: number;
  /** Time to make a response, in milliseconds. */
  answerMs: number;
  /**
   * Requests of one connection that may wait for each other's responses. node:http goes on reading requests while
   * earlier ones are answered, without a limit of its own.
   */
  pipelined?: number;
};

const connectionsOf = new WeakMap<Server, Connections>();

function pem(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigError(`tls: ${path} cannot be read`, { cause: error });
  }
}

/**
 * Creates an HTTP server that does not listen yet; with certificate and key, an HTTPS server. Every connection is
 * counted from its acceptance to its end, and closed when nobody uses it: no request, no answer, or nobody who reads
 * it.
 *
 * @param tls - Paths of PEM files.
 * @param limits - Maximum number of connections (unlimited if absent), and the time a client has to send a request and
 * to accept the next piece of a response. A connection beyond the maximum is closed if none is idle.
 * @param handle - Answers requests; absent if the caller adds a listener.
 * @param upgrades - Takes over connections that change to another protocol; all other offers are answered over
 * HTTP/1.1.
 * @returns The server.
 * @throws {ConfigError} If the certificate or key is unusable.
 */
export function createListener(
  tls: TlsFiles | undefined,
  limits: ListenerLimits,
  handle?: RequestListener,
  upgrades?: UpgradeHandler,
): Server {
  const headMs = Math.min(limits.requestMs, HEAD_MS);
  const checkMs = Math.min(limits.requestMs, CHECK_MS);
  const options = {
    requestTimeout: limits.requestMs,
    headersTimeout: headMs,
    handshakeTimeout: headMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: checkMs,
    IncomingMessage: Incoming,
  };
  const server = tls ? secure(tls, options, handle) : http.createServer(options, handle);
  // A client may close its sending side and still wait for responses. These are the last on the connection; without a
  // complete request it is closed at once.
  Object.assign(server, { httpAllowHalfOpen: true });
  const event = tls ? 'secureConnection' : 'connection';
  const { connections: most = Infinity, pipelined = Infinity } = limits;
  const connections = new Connections(server, event, { connections: most, pipelined });
  connectionsOf.set(server, connections);
  decideUpgrades(server, event, connections, headMs, upgrades);
  server.on('request', (_request, response) => {
    oversee(server, response, limits.requestMs);
  });
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    oversee(server, response, limits.requestMs);
    response.writeHead(417).end();
  });
  const checks = setInterval(() => {
    connections.closeStuck(limits.requestMs + limits.answerMs);
  }, checkMs).unref();
  server.once('close', () => {
    clearInterval(checks);
  });
  return server;
}

/**
 * Closes the connection of a response if the client accepts no data for as long as a request may take. A connection
 * that is merely quiet, because the response is not ready, stays open. Until the response is sent, the connection is
 * not idle. Also notifies a pending stop once it is sent. Servers with a `checkContinue` listener must call this for
 * those requests, as they emit no `request` event.
 *
 * @param server - From createListener.
 * @param limitMs - The time limit.
 */
export function oversee(server: Server, response: ServerResponse, limitMs: number): void {
  response.setTimeout(limitMs);
  response.on('timeout', dropIfStalled);
  connectionsOf.get(server)?.begin(response);
}

/**
 * @param server - From createListener.
 * @returns The number of its open connections; with TLS, also those whose handshake is not complete.
 */
export const countConnections = (server: Server): number => connectionsOf.get(server)?.accepted.size ?? 0;

function dropIfStalled(socket: Socket): void {
  if (socket.writableLength > 0) reset(socket);
}

function secure(tls: TlsFiles, options: https.ServerOptions, handle?: RequestListener): Server {
  const [cert, key] = [pem(tls.cert), pem(tls.key)];
  try {
    const server = https.createServer({ ...options, cert, key }, handle);
    // Only now: a client that closes its side before the handshake, such as a port probe, is not waited for.
    server.on('secureConnection', (socket) => {
      socket.allowHalfOpen = true;
    });
    return server;
  } catch (error) {
    throw new ConfigError('tls: the certificate and key do not match, or are not PEM files', { cause: error });
  }
}

/** The reason why an address cannot be bound; the error code follows in the message. */
const UNBOUND: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRINUSE: 'the port is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host',
};

/**
 * @param server - The server.
 * @param host - Address to bind.
 * @param port - Port to bind; 0 picks a free one.
 * @param settings - The names of the settings, for the error message.
 * @returns The port bound.
 * @throws {ConfigError} If the address cannot be bound.
 */
export async function listen(server: Server, host: string, port: number, settings: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = UNBOUND[error.code ?? ''] ?? 'refused';
      const what = `cannot listen on ${host}:${port}: ${why} (${error.code}); change ${settings}`;
      reject(new ConfigError(what, { cause: error }));
    });
    server.listen(port, host, BACKLOG, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Goes on accepting connections and requests, and has each connection close after its response: clients that keep
 * connections come back on a new one, which a load balancer leads elsewhere.
 *
 * @param server - From createListener.
 */
export function closeAfterResponses(server: Server): void {
  connectionsOf.get(server)?.closeAfterResponses();
}

/**
 * Accepts no more connections, and closes each open one once its responses are sent.
 *
 * @param server - From createListener.
 * @param graceMs - How long idle connections stay open for a request that may already be on its way, since a proxy
 * would not retry it elsewhere.
 * @returns Resolves once all connections have closed.
 */
export function stopListening(server: Server, graceMs = 0): Promise<void> {
  const connections = connectionsOf.get(server);
  connections?.closeAfterResponses();
  const closeIdle = () => {
    // node:http considers a connection idle once its response is written, even if the client has not yet received all
    // of it.
    const unsent = [...(connections?.open ?? [])].some(({ writableLength }) => writableLength > 0);
    if (!unsent) server.closeIdleConnections();
  };
  const startClosing = () => {
    if (connections !== undefined) connections.onSent = closeIdle;
    closeIdle();
  };
  const grace = graceMs > 0 ? setTimeout(startClosing, graceMs) : undefined;
  return new Promise((resolve) => {
    // Calls close of node:net, because close of node:http also closes connections that only look idle. It is called
    // afterwards to stop its timer.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      server.close();
      resolve();
    });
    if (grace === undefined) startClosing();
  });
}

/**
 * Closes every connection, whatever its state. node:http does not know connections before their TLS handshake is
 * complete.
 *
 * @param server - From createListener.
 */
export function endConnections(server: Server): void {
  for (const socket of connectionsOf.get(server)?.open ?? []) if (socket.writableLength > 0) reset(socket);
  server.closeAllConnections();
  for (const socket of connectionsOf.get(server)?.accepted ?? []) socket.destroy();
}
