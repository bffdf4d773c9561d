import { type IncomingMessage, type ServerResponse } from 'node:http';

/** Requests of one connection that are answered or wait; one more closes it. */
export const MAX_PIPELINED = 1001;

/**
 * Waits until all earlier requests on the same connection are answered. A client may pipeline requests (RFC 9112,
 * section 9.3.2), but their responses cannot be sent until then, and node:http does not tell them when the client
 * disconnects: if started at once, they would hold their data until they time out.
 *
 * @returns Whether the client is still connected.
 */
export async function waitForEarlierRequests(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (response.socket !== null) return true;
  return new Promise((resolve) => {
    response.once('socket', () => {
      resolve(true);
    });
    request.once('close', () => {
      resolve(false);
    });
  });
}
