import { readFileSync } from 'node:fs';
import http, { type RequestListener, type Server, type ServerResponse } from 'node:http';
import https from 'node:https';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';

import { ConfigError } from './config';

/** Longer than load balancers keep idle connections, so that it is never this side that closes one in use. */
export const KEEP_ALIVE_MS = 65_000;

/** The time a client has for the head of a request, even where the body may take longer. */
const HEAD_MS = 30_000;

/** How often that is looked at. */
const CHECK_MS = 5_000;

/** Paths of PEM files. */
export type TlsFiles = { readonly cert: string; readonly key: string };

export type ListenerLimits = { connections?: number; requestMs: number };

/**
 * The connections of a server, and what is done whenever one of its answers has been sent. Connections and not answers: a
 * set that changes with each request keeps what was in it until all memory is collected. With TLS, `sockets` are those
 * whose handshake is done, `accepted` what is below them and those on which nothing has come yet.
 */
type Watched = { readonly sockets: Set<Socket>; readonly accepted: Set<Socket>; onSent: () => void };

const watched = new WeakMap<Server, Watched>();

function pem(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ConfigError(`tls: ${path} cannot be read`, { cause: error });
  }
}

/**
 * Makes an HTTP server that does not listen yet; with certificate and key, an HTTPS server.
 *
 * @param tls - Paths of PEM files.
 * @param limits - Connections at once (unlimited if absent), and the time a client has to send a request, and to take
 * the next piece of an answer.
 * @param handle - Answers requests; absent where the caller adds it.
 * @returns The server.
 * @throws {ConfigError} If certificate or key cannot be used.
 */
export function createListener(tls: TlsFiles | undefined, limits: ListenerLimits, handle?: RequestListener): Server {
  const headMs = Math.min(limits.requestMs, HEAD_MS);
  const options = {
    requestTimeout: limits.requestMs,
    headersTimeout: headMs,
    handshakeTimeout: headMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: Math.min(limits.requestMs, CHECK_MS),
  };
  const server = tls ? secure(tls, options, handle) : http.createServer(options, handle);
  // A client that has said all it has to say, and shown it by closing its side, waits for its answers all the same. They
  // are the last on that connection; where none is due, or a request is not whole, it is closed at once.
  Object.assign(server, { httpAllowHalfOpen: true });
  if (limits.connections !== undefined) server.maxConnections = limits.connections;
  const sockets = keepOpen(server, tls ? 'secureConnection' : 'connection');
  const accepted = tls ? keepOpen(server, 'connection') : sockets;
  watched.set(server, { sockets, accepted, onSent: () => undefined });
  server.on('request', (_request, response) => {
    oversee(server, response, limits.requestMs);
  });
  return server;
}

/** @returns The connections that an event tells of, as long as they are open. */
function keepOpen(server: Server, event: 'connection' | 'secureConnection'): Set<Socket> {
  const open = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

/**
 * Closes the connection of an answer of which nothing is taken for as long as a request may take: the rest will not be
 * taken either. One that is only quiet, because the answer is not there yet, stays. And lets a stop know when the answer
 * has been sent. Servers that have a listener for `checkContinue` call this for its requests: those are no `request`.
 *
 * @param server - Of createListener.
 * @param limitMs - How long that is.
 */
export function oversee(server: Server, response: ServerResponse, limitMs: number): void {
  response.setTimeout(limitMs);
  response.on('timeout', dropUntaken);
  const watch = watched.get(server);
  response.on('close', () => watch?.onSent());
}

function dropUntaken(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy();
}

function secure(tls: TlsFiles, options: https.ServerOptions, handle?: RequestListener): Server {
  const [cert, key] = [pem(tls.cert), pem(tls.key)];
  try {
    const server = https.createServer({ ...options, cert, key }, handle);
    // Not before: who closes its side without a handshake, as probes of ports do, is not waited for.
    server.on('secureConnection', (socket) => {
      socket.allowHalfOpen = true;
    });
    return server;
  } catch (error) {
    throw new ConfigError('tls: certificate and key do not fit together or are no PEM files', { cause: error });
  }
}

/** Why an address cannot be bound, in words; the number of the error stands behind them. */
const UNBOUND: Readonly<Record<string, string>> = {
  EACCES: 'this user may not',
  EADDRINUSE: 'the port is taken',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no such host',
};

/**
 * @param server - To listen with.
 * @param host - Address to bind.
 * @param port - Port to bind; 0 picks a free one.
 * @param settings - What the operator sets them with, for the error.
 * @returns The port bound.
 * @throws {ConfigError} If the address cannot be bound.
 */
export async function listen(server: Server, host: string, port: number, settings: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = UNBOUND[error.code ?? ''] ?? 'refused';
      const what = `cannot listen on ${host}:${port}: ${why} (${error.code}); the settings: ${settings}`;
      reject(new ConfigError(what, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Takes no more connections, and closes those there are as their answers have been sent.
 *
 * @param server - Of createListener.
 * @param graceMs - How long idle connections stay for one more request, which may be on its way: a proxy would not send it
 * again elsewhere. Whoever answers it ends its connection.
 * @returns Resolves once all connections have ended.
 */
export function stopListening(server: Server, graceMs = 0): Promise<void> {
  const watch = watched.get(server);
  const closeIdle = () => {
    // To node:http a connection is idle once its answer is written, whether or not the client has taken all of it.
    const unsent = [...(watch?.sockets ?? [])].some(({ writableLength }) => writableLength > 0);
    if (!unsent) server.closeIdleConnections();
  };
  const startClosing = () => {
    if (watch !== undefined) watch.onSent = closeIdle;
    closeIdle();
  };
  const grace = graceMs > 0 ? setTimeout(startClosing, graceMs) : undefined;
  return new Promise((resolve) => {
    // Of node:net: the one of node:http closes what it takes for idle. It also ends a timer, hence the second one.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      server.close();
      resolve();
    });
    if (grace === undefined) startClosing();
  });
}

/**
 * Ends every connection, whatever it is in the middle of: node:http knows of none before its TLS handshake is done.
 *
 * @param server - Of createListener.
 */
export function endConnections(server: Server): void {
  server.closeAllConnections();
  for (const socket of watched.get(server)?.accepted ?? []) socket.destroy();
}
