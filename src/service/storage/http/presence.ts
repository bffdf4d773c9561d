import { type ServerResponse } from 'node:http';

/** Longer than almost every answer takes, so that hardly any client is asked. */
const ASK_EVERY_MS = 1000;

/**
 * Finds out whether a client that has closed its side still waits for its answer: to this side, one that is gone looks the
 * same. Interim answers, which say nothing and which every client skips (RFC 9110, section 15.2), make a connection that
 * nobody holds any more break; the answer then emits `close`. Once the answer has begun, what it says does the same.
 *
 * @returns Ends the asking, which the caller has to do.
 */
export function watchPresence(response: ServerResponse): () => void {
  const { req } = response;
  const { socket } = req;
  // HTTP/1.0 has no interim answers.
  if (req.httpVersionMinor === 0) return () => undefined;
  let asking: NodeJS.Timeout | undefined;
  const ask = () => {
    if (!response.headersSent) response.writeContinue();
  };
  const start = () => {
    asking ??= setInterval(ask, ASK_EVERY_MS);
  };
  if (socket.readableEnded) start();
  else socket.once('end', start);
  return () => {
    socket.off('end', start);
    clearInterval(asking);
  };
}
