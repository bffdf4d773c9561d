import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Has a request that offers another protocol than WebSocket answered as if it did not offer one (RFC 9110, section 7.8).
 * Programs that can do HTTP/2 offer it with their first ordinary request (`Upgrade: h2c`: the HTTP client of Java,
 * `curl --http2`), and node:http before 24.9 parts with every connection on which an upgrade is asked for.
 *
 * @param server - That it came to.
 * @param event - With which the server takes up a connection.
 * @param request - The request; only its head has been read.
 * @param socket - Its connection.
 * @param head - Bytes that came after the request's head.
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
