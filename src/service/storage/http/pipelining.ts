import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Maximum number of pipelined requests waiting on one connection. */
const MAX_WAITING = 1000;
/**
 * Maximum weight of those on all connections together. Whose a request is shows only when its turn comes, so whoever
 * opens many connections could otherwise fill the memory. A request takes about 5 KiB, and its head twice its length.
 */
const MAX_WEIGHT = 10_000;
const WEIGHT_BYTES = 1024;

const waiting = new WeakMap<Socket, number>();
let weightOfAll = 0;

const weightOf = ({ rawHeaders }: IncomingMessage): number =>
  1 + Math.floor(rawHeaders.reduce((sum, { length }) => sum + length, 0) / WEIGHT_BYTES);

/**
 * Waits until all earlier requests on the same connection are answered. A client may pipeline requests (RFC 9112,
 * section 9.3.2), but their responses cannot be sent until then, and node:http does not tell them when the client
 * disconnects: if started at once, they would hold their data until they time out. A connection with too many waiting
 * requests is closed, and so is one that would make those of all connections too many.
 *
 * @returns Whether the client is still connected.
 */
export async function waitForEarlierRequests(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (response.socket !== null) return true;
  const { socket } = request;
  const before = waiting.get(socket) ?? 0;
  const weight = weightOf(request);
  if (before === MAX_WAITING || weightOfAll + weight > MAX_WEIGHT) {
    socket.destroy();
    return false;
  }
  waiting.set(socket, before + 1);
  weightOfAll += weight;
  const isThere = await new Promise<boolean>((resolve) => {
    response.once('socket', () => {
      resolve(true);
    });
    request.once('close', () => {
      resolve(false);
    });
  });
  waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
  weightOfAll -= weight;
  return isThere;
}
