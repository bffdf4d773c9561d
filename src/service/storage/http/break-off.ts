import { type ServerResponse } from 'node:http';
import { TLSSocket } from 'node:tls';

/**
 * Breaks off a response whose body has begun, so that its client sees that this is not everything. A body to HTTP/1.0
 * ends with the connection: only a reset marks it as incomplete. TLS marks that itself: nothing says that it ended.
 */
export function breakOff(response: ServerResponse): void {
  const { socket } = response;
  if (response.chunkedEncoding || socket === null || socket instanceof TLSSocket) response.destroy();
  else socket.resetAndDestroy();
}
