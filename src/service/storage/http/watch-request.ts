import { type ServerResponse } from 'node:http';
import { Cancellation } from '../content/cancellation';
import { GivenUpError } from '../errors';

/**
 * Cancels a request once its time is up, or its client has left.
 *
 * @param late - Why it is cancelled once its time is up.
 * @returns `end` ends the watch; the caller must call it.
 */
export function watchRequest(
  response: ServerResponse,
  milliseconds: number,
  late: () => GivenUpError,
): { readonly cancellation: Cancellation; readonly end: () => void } {
  const cancellation = new Cancellation();
  const timer = setTimeout(() => {
    cancellation.cancel(late());
  }, milliseconds);
  const onClose = () => {
    cancellation.cancel(new GivenUpError('the client disconnected'));
  };
  response.on('close', onClose);
  return {
    cancellation,
    end: () => {
      clearTimeout(timer);
      response.off('close', onClose);
    },
  };
}
