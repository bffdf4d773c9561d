import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Handles an upgrade request to a protocol other than WebSocket as if it offered no upgrade (RFC 9110, section 7.8).
 * HTTP/2 clients offer one with their first ordinary request (`Upgrade: h2c`: Java's HTTP client, `curl --http2`), and
 * node:http before 24.9 detaches every connection that offers an upgrade.
 *
 * @param server - The server that received it.
 * @param event - The event with which the server accepts a connection.
 * @param request - The request; only its head has been read.
 * @param socket - Its connection.
 * @param head - Bytes after the request's head.
 */
export function answerWithoutUpgrade(
  server: Server,
  event: 'connection' | 'secureConnection',
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit(event, socket);
}
