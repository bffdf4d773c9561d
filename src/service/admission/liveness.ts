import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Longer than most responses take, so that hardly any client is probed; each wait is twice as long as the last. */
const FIRST_PROBE_MS = 100;
const PROBE_EVERY_MS = 500;

/** Clients accept a chunk length of up to 16 digits, and the length itself takes up to 7. */
const MOST_ZEROS = 9;

/** Probes within a response that has begun. The more zeros were sent, the longer they wait. */
class ChunkProbes {
  readonly #socket: Socket;
  #written = -1;
  #ticks = 0;
  #zeros = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  send(): void {
    const socket = this.#socket;
    if (socket.bytesWritten !== this.#written) {
      this.#written = socket.bytesWritten;
      this.#ticks = 0;
      this.#zeros = 0;
    }
    // A client that does not read what was sent gets no more; it would not reveal itself by that.
    if (++this.#ticks < 2 ** this.#zeros || this.#zeros === MOST_ZEROS || socket.writableLength > 0) return;
    this.#zeros++;
    socket.write('0', 'latin1');
    this.#written = socket.bytesWritten;
  }
}

/**
 * Detects whether a client that has closed its side still waits for its responses; to this side, a client that is gone
 * looks the same. Interim responses, which every client ignores (RFC 9110, section 15.2), break a dead connection, and
 * its responses then emit `close`. Once a response has started, its data does the same; while there is no data, a zero
 * is sent in front of the next chunk's length, which may have any number of leading zeros (RFC 9112, section 7.1).
 * HTTP/1.0 has neither.
 *
 * @param socket - A connection that was just accepted.
 * @param unsent - Its responses that are not sent yet, at any time, the first one first.
 */
export function watchLiveness(socket: Socket, unsent: readonly ServerResponse[]): void {
  const probe = (chunks: ChunkProbes) => {
    const [response] = unsent;
    if (response === undefined || response.req.httpVersionMinor === 0) return;
    if (!response.headersSent) response.writeContinue();
    else if (response.chunkedEncoding && !response.writableEnded) {
      // The response may have started while its head is still buffered until the first piece: the head must go before a
      // zero.
      response.flushHeaders();
      chunks.send();
    }
  };
  socket.once('end', () => {
    const chunks = new ChunkProbes(socket);
    let timer: NodeJS.Timeout | undefined;
    const wait = (milliseconds: number) => {
      timer = setTimeout(() => {
        probe(chunks);
        wait(Math.min(2 * milliseconds, PROBE_EVERY_MS));
      }, milliseconds);
    };
    if (unsent.length > 0) wait(FIRST_PROBE_MS);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  });
}
