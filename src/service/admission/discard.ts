import type { IncomingMessage } from 'node:http';

import { Turns } from './turns';

/**
 * Pieces of refused bodies that are read at once, of all connections together, and the pause after them in
 * milliseconds: at most 768 MiB per second.
 */
const DISCARDED = 24;
const DISCARD_MS = 2;

const turns = new Turns(DISCARDED, (run) => setTimeout(run, DISCARD_MS));

/**
 * Discards the rest of a body that is still arriving: to a proxy that is still writing, a closed connection means a
 * failed service, whatever the response says. It also shows whether the client is still there. All such bodies together
 * are read slowly, so that nobody can keep the service busy with them.
 *
 * @param limit - Bytes.
 * @returns Resolves once it has arrived, or is too long.
 */
export function discardRest(request: IncomingMessage, limit: number): Promise<void> {
  let left = limit;
  return new Promise((resolve) => {
    const end = () => {
      resolve();
    };
    request.once('close', end).on('data', ({ length }: Buffer) => {
      left -= length;
      if (left < 0) end();
      request.pause();
      void turns.next('').then(() => request.resume());
    });
    request.resume();
  });
}
