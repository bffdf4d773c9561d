import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Maximum number of pipelined requests waiting on one connection. */
const MAX_WAITING = 1000;

const waiting = new WeakMap<Socket, number>();

/**
 * Waits until all earlier requests on the same connection are answered. A client may pipeline requests (RFC 9112,
 * section 9.3.2), but their responses cannot be sent until then, and node:http does not tell them when the client
 * disconnects: if started at once, they would hold their data until they time out. A connection with too many waiting
 * requests is closed.
 *
 * @returns Whether the client is still connected.
 */
export async function waitForEarlierRequests(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (response.socket !== null) return true;
  const { socket } = request;
  const before = waiting.get(socket) ?? 0;
  if (before === MAX_WAITING) {
    socket.destroy();
    return false;
  }
  waiting.set(socket, before + 1);
  const isThere = await new Promise<boolean>((resolve) => {
    response.once('socket', () => {
      resolve(true);
    });
    request.once('close', () => {
      resolve(false);
    });
  });
  waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
  return isThere;
}
