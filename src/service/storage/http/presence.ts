import { type ServerResponse } from 'node:http';

/** Longer than almost every answer takes, so that hardly any client is asked. */
const ASK_EVERY_MS = 1000;

/** Within the 16 digits that clients take of a length, with the 7 of a chunk's own. */
const MOST_ZEROS = 9;

/**
 * Finds out whether a client that has closed its side still waits for its answer: to this side, one that is gone looks the
 * same. Interim answers, which say nothing and which every client skips (RFC 9110, section 15.2), make a connection that
 * nobody holds any more break; the answer then emits `close`. Once the answer has begun, what it says does the same, and
 * while it says nothing a zero in front of the next chunk's length, which has any number of them (RFC 9112, section 7.1);
 * each after twice the time, since there may not be many.
 *
 * @returns Ends the asking, which the caller has to do.
 */
export function watchPresence(response: ServerResponse): () => void {
  const { req } = response;
  const { socket } = req;
  // HTTP/1.0 has no interim answers.
  if (req.httpVersionMinor === 0) return () => undefined;
  let asking: NodeJS.Timeout | undefined;
  let written = -1;
  let turns = 0;
  let zeros = 0;
  const askInChunks = () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      turns = 0;
      zeros = 0;
    }
    // A client that does not take what there is will not show itself by taking more.
    if (++turns < 2 ** zeros || zeros === MOST_ZEROS || socket.writableLength > 0) return;
    zeros++;
    socket.write('0', 'latin1');
    written = socket.bytesWritten;
  };
  const ask = () => {
    if (!response.headersSent) response.writeContinue();
    else if (response.chunkedEncoding && !response.writableEnded) {
      // An answer may have begun and its head still wait for the first piece: no zero goes in front of that.
      response.flushHeaders();
      askInChunks();
    }
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
