import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { Admission, type Client } from './admission';
import { clientAt } from './client-address';
import type { Accepting, Connections } from './connections';

/** A connection that holds less is never closed for it: it may have sent just one ordinary request. */
const LITTLE = 8 << 10;

/**
 * Clients whose offers wait, on all listeners together. Each offer costs a second reading of its head, so thousands of
 * them would keep other clients waiting. A connection whose client holds too much is closed.
 */
const offers = new Admission({ requests: Infinity, memory: 64 << 20 }, (exceeded) => new Error(exceeded));

/** Takes over the connections that change to another protocol. */
export type UpgradeHandler = {
  /** Whether the request offers that protocol, even if it is malformed. */
  readonly wants: (request: IncomingMessage) => boolean;
  /**
   * Owns the connection from now on. It must end the time limit that the socket has by then, or the connection is
   * closed when it is reached.
   *
   * @param head - Bytes after the head of the request.
   */
  readonly take: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
};

/**
 * Calls back once the earlier responses of a connection are sent; never if it closes before. node:http lets a
 * connection go as soon as it has read an offer, whatever it still has to send there, so this does what node:http no
 * longer does.
 */
function afterEarlier(socket: Socket, earlier: readonly ServerResponse[], proceed: () => void): void {
  if (earlier.length === 0) {
    proceed();
    return;
  }
  const current = () => earlier.find((response) => response.socket === socket);
  const drain = () => current()?.emit('drain');
  const timeout = () => current()?.emit('timeout', socket);
  const fail = () => socket.destroy();
  const abort = () => {
    for (const { req } of earlier) req.destroy();
  };
  socket.on('drain', drain).on('timeout', timeout).on('error', fail).on('close', abort);
  const next = () => {
    const [first] = earlier;
    if (first !== undefined) {
      first.once('close', next);
      return;
    }
    if (socket.destroyed || !socket.writable) return;
    socket.off('drain', drain).off('timeout', timeout).off('error', fail).off('close', abort);
    proceed();
  };
  next();
}

/**
 * Counts what a connection has read, from now until it goes on or closes.
 *
 * @returns To be called when it goes on.
 * @throws If its client holds too much already.
 */
function hold(client: Client, socket: Socket): () => void {
  // While it waits, as much again may be read.
  const bytes = 2 * socket.readableLength;
  const memory = client.memory.within();
  if (bytes > LITTLE) memory.charge(bytes);
  else memory.count(bytes);
  const release = () => {
    socket.off('close', release);
    memory.release();
    client.settle();
  };
  socket.on('close', release);
  return release;
}

/** Calls back in a turn of the event loop that has room for it; never if the connection closes before. */
async function inTurn(client: Client, socket: Socket, proceed: () => void): Promise<void> {
  const fail = () => socket.destroy();
  socket.on('error', fail);
  await client.begin();
  if (socket.destroyed) return;
  socket.off('error', fail);
  proceed();
}

/** Puts a request back in front of what follows it, as one that is no offer (RFC 9110, section 7.8). */
function putBack({ method, url, httpVersion, rawHeaders }: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  // Not as one: a copy for every offer of a long pipeline would take more time than the offers.
  if (head.length > 0) socket.unshift(head);
  socket.unshift(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
}

/** Gives a connection back to the server. */
function goOn(server: Server, event: Accepting, socket: Socket): void {
  server.emit(event, socket);
  // With these, node:http reads on whenever a response asks for more, however much of the connection is read already.
  // They are for connections that its parser reads itself, which this one is no longer; a stream stops by itself.
  socket.removeAllListeners('pause').removeAllListeners('resume');
}

/**
 * Decides what happens to every connection on which a client offers another protocol. Offers that nobody wants are
 * answered as if they were none: HTTP/2 clients make one with their first ordinary request (`Upgrade: h2c`: Java's
 * client, `curl --http2`). Without a listener, node:http would answer them, too, but drop what follows in the same
 * packet.
 *
 * @param server - The server.
 * @param event - How it reports connections.
 * @param connections - Its connections.
 * @param limitMs - How long a connection that is taken over may be without any data, until its new owner says
 * otherwise.
 * @param handler - Takes over the ones it wants; undefined if there is no other protocol.
 */
export function decideUpgrades(
  server: Server,
  event: Accepting,
  connections: Connections,
  limitMs: number,
  handler: UpgradeHandler | undefined,
): void {
  server.on('upgrade', (request, duplex, head) => {
    // Of a server of node:http or node:https, always a socket.
    const socket = duplex as Socket;
    connections.takeOver(socket);
    const earlier = connections.unsentOn(socket);
    if (handler?.wants(request) === true) {
      afterEarlier(socket, earlier, () => {
        socket.setTimeout(limitMs, () => socket.destroy());
        handler.take(request, socket, head);
      });
      return;
    }
    // At once: an end of the connection that comes while it waits is then behind the request.
    putBack(request, socket, head);
    const client = offers.client(clientAt(socket.remoteAddress ?? ''));
    let release: () => void;
    try {
      release = hold(client, socket);
    } catch {
      socket.destroy();
      return;
    }
    afterEarlier(socket, earlier, () => {
      void inTurn(client, socket, () => {
        release();
        goOn(server, event, socket);
      });
    });
  });
}
