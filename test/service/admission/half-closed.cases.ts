import { once } from 'node:events';
import { type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { createListener, endConnections, listen, type TlsFiles } from '../../../src/service/admission/listener';
import { makeCertificate, noOpenssl } from '../../support/service/certificate';

const LIMITS = { requestMs: 60_000, answerMs: 60_000 };
const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Serves on a free port. */
async function serve(handle: RequestListener, tls?: TlsFiles): Promise<number> {
  const server = createListener(tls, LIMITS, handle);
  closing.push(() => {
    endConnections(server);
    server.close();
  });
  return listen(server, '127.0.0.1', 0, 'none');
}

const inClear = (port: number) => connect({ port, host: '127.0.0.1' });
const inTls = (port: number) => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });

/**
 * Sends some bytes, and closes this side of the connection; resolves to what comes until the other side is closed, too.
 */
function sayAndClose(socket: Socket, bytes: string): Promise<string> {
  let received = '';
  socket.on('data', (piece: Buffer) => (received += piece.toString('latin1')));
  // A reset is one way of closing.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => {
      resolve(received);
    });
  });
  socket.end(bytes);
  return closed;
}

/** Answers once the client is known to have closed its side. */
const answerLate: RequestListener = (request, response) => {
  const answer = () => {
    response.end(`answer to ${request.url}`);
  };
  if (request.socket.readableEnded) answer();
  else request.socket.once('end', () => setImmediate(answer));
};

const kinds: [string, (port: number) => Socket, boolean][] = [
  ['HTTP', inClear, false],
  ['HTTPS', inTls, true],
];

(noOpenssl === undefined ? test : test.skip)('before a TLS handshake it is not waited for', async () => {
  const port = await serve(() => undefined, makeCertificate());
  const silent = inClear(port);
  closing.push(() => silent.destroy());
  silent.on('error', () => undefined);
  await once(silent, 'connect');
  expect(await sayAndClose(inClear(port), '')).toBe('');
  // That one came first: were both left to the time for handshakes, it would have gone first, too.
  expect(silent.closed).toBe(false);
});

describe.each(kinds)('over %s, a client that closes its side', (_name, open, secure) => {
  const maybe = secure && noOpenssl !== undefined ? test.skip : test;
  const tls = () => (secure ? makeCertificate() : undefined);

  maybe('after a request gets its answer, and the connection is closed', async () => {
    const port = await serve(answerLate, tls());
    const answer = await sayAndClose(open(port), REQUEST);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*answer to \/$/su);
  });

  maybe('after several requests gets all answers', async () => {
    const port = await serve(answerLate, tls());
    const requests = ['/a', '/b', '/c'].map((path) => REQUEST.replace('/', path));
    const answers = await sayAndClose(open(port), requests.join(''));
    expect(answers.match(/answer to \/[abc]/gu)).toEqual(['answer to /a', 'answer to /b', 'answer to /c']);
  });

  maybe.each([
    ['before any request', ''],
    ['in a head', REQUEST.slice(0, 10)],
    ['in a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf'],
    ['in a chunk', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf'],
  ])('%s is not waited for', async (_when, bytes) => {
    const aborted: boolean[] = [];
    const port = await serve((request, response) => {
      request.resume();
      request.on('close', () => aborted.push(!request.complete));
      request.on('end', () => response.end());
    }, tls());
    expect(await sayAndClose(open(port), bytes)).not.toContain('200 OK');
    expect(aborted.every(Boolean)).toBe(true);
  });

  maybe('and is gone when it is answered costs the answer alone', async () => {
    let closed: (finished: boolean) => void = () => undefined;
    const done = new Promise<boolean>((resolve) => (closed = resolve));
    const port = await serve((_request, response) => {
      response.on('close', () => {
        closed(response.writableFinished);
      });
      const write = () => {
        if (!response.destroyed) response.write('x'.repeat(100_000), () => setImmediate(write));
      };
      write();
    }, tls());
    const socket = open(port);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.destroy());
    socket.write(REQUEST);
    expect(await done).toBe(false);
  });
});
