import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The TCP connections below TLS. */
const below = new WeakMap<Socket, Socket>();

/** Notes the TCP connection below a TLS socket. */
export function noteBelow(secure: Socket, tcp: Socket): void {
  below.set(secure, tcp);
}

/**
 * Closes a connection with a reset, for a response that is not complete. A body to HTTP/1.0 ends with the connection,
 * and with TLS many clients take any end for that, so only a reset marks it as incomplete. What the client has not read
 * yet is dropped, too.
 *
 * @param socket - The connection of a response, of a server from createListener.
 */
export function reset(socket: Socket): void {
  if (socket.destroyed) return;
  const tcp = below.get(socket) ?? socket;
  // The class cannot reset.
  if (!(tcp instanceof TLSSocket)) tcp.resetAndDestroy();
  socket.destroy();
}
