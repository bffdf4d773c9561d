import { type ServerResponse } from 'node:http';

/** Longer than almost every response takes, so that hardly any client is probed. */
const PROBE_EVERY_MS = 500;

/** Clients accept a chunk length of up to 16 digits, and the length itself takes up to 7. */
const MOST_ZEROS = 9;

/**
 * Detects whether a client that has closed its side still waits for its response; to this side, a client that is gone
 * looks the same. Interim responses, which every client ignores (RFC 9110, section 15.2), break a dead connection, and
 * the response then emits `close`. Once the response has started, its data does the same; while there is no data, a
 * zero is sent in front of the next chunk's length, which may have any number of leading zeros (RFC 9112, section 7.1).
 * The interval doubles each time, since the number of zeros is limited.
 *
 * @returns Stops the probing; the caller must call it.
 */
export function watchLiveness(response: ServerResponse): () => void {
  const { req } = response;
  const { socket } = req;
  // HTTP/1.0 has no interim responses.
  if (req.httpVersionMinor === 0) return () => undefined;
  let probing: NodeJS.Timeout | undefined;
  let written = -1;
  let ticks = 0;
  let zeros = 0;
  const probeInChunks = () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      ticks = 0;
      zeros = 0;
    }
    // A client that does not read what was sent gets no more; it would not reveal itself by that.
    if (++ticks < 2 ** zeros || zeros === MOST_ZEROS || socket.writableLength > 0) return;
    zeros++;
    socket.write('0', 'latin1');
    written = socket.bytesWritten;
  };
  const probe = () => {
    if (!response.headersSent) response.writeContinue();
    else if (response.chunkedEncoding && !response.writableEnded) {
      // The response may have started while its head is still buffered until the first piece: the head must go before a
      // zero.
      response.flushHeaders();
      probeInChunks();
    }
  };
  const start = () => {
    probing ??= setInterval(probe, PROBE_EVERY_MS);
  };
  if (socket.readableEnded) start();
  else socket.once('end', start);
  return () => {
    socket.off('end', start);
    clearInterval(probing);
  };
}
