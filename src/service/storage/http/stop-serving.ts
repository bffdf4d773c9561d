import { type Server } from 'node:http';
import { endConnections, stopListening } from '../../admission/listener';

/** How long a stop waits, after all requests are answered, for clients to receive the responses. */
const LAST_BYTES_MS = 10_000;

/**
 * Stops a server once its requests are answered.
 *
 * @param idle - Resolves once no request is in progress.
 * @param graceMs - How long connections stay open for a request that may be on its way.
 */
export async function stopServing(server: Server, idle: () => Promise<void>, graceMs = 0): Promise<void> {
  const closed = stopListening(server, graceMs);
  await idle();
  // The end of a response may still be in transit, and a client may never complete a request it has started.
  const deadline = setTimeout(() => {
    endConnections(server);
  }, LAST_BYTES_MS);
  await closed;
  clearTimeout(deadline);
  // A request that arrived meanwhile and was cut off.
  await idle();
}
