import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Requests that may wait on one connection for the answer to an earlier one. */
const MAX_WAITING = 1000;

const waiting = new WeakMap<Socket, number>();

/**
 * Waits until all that was asked before on the same connection is answered. A client may send requests ahead (RFC 9112,
 * section 9.3.2), but nobody takes anything of their answers until then, and node:http does not tell these when the client
 * is gone: begun at once, they would hold what they read until their time is up. A connection with too many is closed.
 *
 * @returns Whether the client is still there.
 */
export async function itsTurn(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
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
