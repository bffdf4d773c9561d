import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A request without a body. */
export const plain = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A request that offers HTTP/2, as `curl --http2` sends it. */
export const offer = (path: string, body?: string) =>
  [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'Host: x',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMA',
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
    '',
    body ?? '',
  ].join('\r\n');

/** A client that collects what it receives. It is closed after the test. */
export async function openClient(port: number, secure = false) {
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false };
  const socket: Socket = secure ? connectTls(options) : connect(options);
  closing.push(() => socket.destroy());
  const pieces: string[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece.toString('latin1')));
  // A reset is one way of closing.
  socket.on('error', () => undefined);
  // Unlike `once`, a promise that no reset rejects.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, secure ? 'secureConnect' : 'connect');
  return {
    socket,
    closed,
    received: () => pieces.join(''),
    /** Resolves once it has received the text, looked for from the last pieces on. Fails if closed. */
    until: async (text: string) => {
      let from = Math.max(0, pieces.length - 4);
      while (!pieces.slice(from).join('').includes(text)) {
        // It may begin at the end of a piece.
        from = Math.max(0, pieces.length - 1);
        if (socket.closed) throw new Error(`the connection was closed before ${text} came`);
        await new Promise((resolve) => {
          socket.once('data', resolve);
          void closed.then(resolve);
        });
      }
    },
  };
}
