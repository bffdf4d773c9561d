import { type ServerResponse } from 'node:http';
import { type Cancellation } from '../content/cancellation';
import { GivenUpError } from '../errors';

/**
 * Sends the next pieces of a response; resolves once the client is ready for more.
 *
 * @throws GivenUpError if the client is gone or the request was cancelled.
 */
export async function writePieces(
  response: ServerResponse,
  cancellation: Cancellation,
  pieces: readonly (string | Uint8Array)[],
): Promise<void> {
  if (response.destroyed) throw new GivenUpError('the client disconnected');
  cancellation.throwIfCancelled();
  let isReady = true;
  for (const piece of pieces) isReady = response.write(piece);
  if (isReady) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      removeListener();
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    const removeListener = cancellation.onCancel(done);
  });
  cancellation.throwIfCancelled();
}
