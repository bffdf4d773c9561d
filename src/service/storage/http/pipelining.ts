import { type IncomingMessage, type ServerResponse } from 'node:http';

/** Requests of one connection that are answered or wait; one more closes it. */
export const MAX_PIPELINED = 1001;
/**
 * Maximum weight of the requests that wait, on all connections together. Whose a request is shows only when its turn
 * comes, so whoever opens many connections could otherwise fill the memory. A request takes about 5 KiB, and its head
 * twice its length.
 */
const MAX_WEIGHT = 10_000;
const WEIGHT_BYTES = 1024;

let weightOfAll = 0;

const weightOf = ({ rawHeaders }: IncomingMessage): number =>
  1 + Math.floor(rawHeaders.reduce((sum, { length }) => sum + length, 0) / WEIGHT_BYTES);

/**
 * Waits until all earlier requests on the same connection are answered. A client may pipeline requests (RFC 9112,
 * section 9.3.2), but their responses cannot be sent until then, and node:http does not tell them when the client
 * disconnects: if started at once, they would hold their data until they time out. A connection whose requests would
 * make those of all connections too many is closed.
 *
 * @returns Whether the client is still connected.
 */
export async function waitForEarlierRequests(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (response.socket !== null) return true;
  const weight = weightOf(request);
  if (weightOfAll + weight > MAX_WEIGHT) {
    request.socket.destroy();
    return false;
  }
  weightOfAll += weight;
  const isThere = await new Promise<boolean>((resolve) => {
    response.once('socket', () => {
      resolve(true);
    });
    request.once('close', () => {
      resolve(false);
    });
  });
  weightOfAll -= weight;
  return isThere;
}
