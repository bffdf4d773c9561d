import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import {
  countConnections,
  createListener,
  endConnections,
  listen,
  type ListenerLimits,
  type TlsFiles,
} from '../../../src/service/admission/listener';
import { type UpgradeHandler } from '../../../src/service/admission/upgrades';
import { makeCertificate, noOpenssl } from '../../support/service/certificate';
import { inTime } from '../../support/service/in-time';
import { offer, openClient, plain } from '../../support/service/offers';

const LIMITS: ListenerLimits = { requestMs: 600_000, answerMs: 600_000, pipelined: 100 };
const SHORT: ListenerLimits = { requestMs: 100, answerMs: 100 };

/** More than all buffers on the way can hold. */
const BIG = 12 << 20;

/** Answers later, in pieces no faster than the client takes them. */
const handle: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (piece: Buffer) => (body += piece.toString()));
  request.on('end', () => {
    setImmediate(() => {
      if (request.url === '/never') return;
      if (request.url === '/last') response.setHeader('Connection', 'close');
      let left = request.url === '/big' ? BIG : 0;
      const write = () => {
        for (; left > 0; left -= 1 << 16) {
          if (response.write('x'.repeat(1 << 16))) continue;
          left -= 1 << 16;
          response.once('drain', write);
          return;
        }
        response.end(`<${request.url} ${body}>`);
      };
      write();
    });
  });
};

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Served = { readonly server: Server; readonly port: number };

async function serve(limits: ListenerLimits, tls?: TlsFiles, upgrades?: UpgradeHandler): Promise<Served> {
  const server = createListener(tls, limits, handle, upgrades);
  closing.push(() => {
    endConnections(server);
    server.close();
  });
  return { server, port: await listen(server, '127.0.0.1', 0, 'none') };
}

const answersIn = (received: string) => received.match(/<\S+ \S*>/gu) ?? [];

/** Waits until the server has noticed that its clients are gone. */
async function untilNone(server: Server): Promise<void> {
  while (countConnections(server) > 0) await new Promise(setImmediate);
}

/** Clients that are all accepted, so that the offers that they make at once are read at once. */
async function openMany(server: Server, port: number, secure = false, count = 100) {
  const clients = await Promise.all(Array.from({ length: count }, () => openClient(port, secure)));
  while (countConnections(server) < clients.length) await new Promise(setImmediate);
  return clients;
}

describe.each([
  ['HTTP', false],
  ['HTTPS', true],
])('offers of another protocol over %s', (_name, secure) => {
  const maybe = secure && noOpenssl !== undefined ? test.skip : test;
  const tls = () => (secure ? makeCertificate() : undefined);

  maybe('are answered in order, whatever is pipelined before and after them, and stay counted', async () => {
    const { server, port } = await serve(LIMITS, tls());
    const { socket, received, until } = await openClient(port, secure);
    socket.write([offer('/1'), offer('/2', 'body'), plain('/3'), offer('/4'), plain('/5')].join(''));
    await until('</5 >');
    // In two pieces, after a pause, and with the next one.
    const whole = offer('/6', 'abcdef');
    socket.write(plain('/big') + whole.slice(0, -3));
    await until('xxxx');
    socket.write(whole.slice(-3) + offer('/7'));
    await until('</7 >');
    expect(answersIn(received())).toEqual([
      '</1 >',
      '</2 body>',
      '</3 >',
      '</4 >',
      '</5 >',
      '</big >',
      '</6 abcdef>',
      '</7 >',
    ]);
    expect(countConnections(server)).toBe(1);
  });

  maybe('behind a response that needs the client to read', async () => {
    const { port } = await serve(LIMITS, tls());
    const { socket, received, until } = await openClient(port, secure);
    socket.write(plain('/big') + offer('/2') + plain('/3'));
    await until('</3 >');
    expect(received().match(/x{65536}/gu)).toHaveLength(BIG / 65_536);
  });

  maybe('with bodies behind them, each of which is read to its end', async () => {
    const { port } = await serve(LIMITS, tls());
    const { socket, received, until } = await openClient(port, secure);
    const body = 'x'.repeat(20_000);
    for (let count = 1; count <= 50; count++) socket.write(offer(`/${count}`, body));
    socket.write(plain('/last'));
    await until('</last >');
    expect(received().match(/<\/\d+ x{20000}>/gu)).toHaveLength(50);
  });

  maybe('behind which the client closes its side', async () => {
    const { server, port } = await serve(LIMITS, tls());
    const together = await openMany(server, port, secure);
    for (const { socket } of together) socket.end(offer('/1'));
    await Promise.all(together.map(({ until }) => until('</1 >')));
    const { socket, received, closed } = await openClient(port, secure);
    // The first answer takes a while, and the end of the connection comes meanwhile.
    socket.end(plain('/big') + offer('/2') + offer('/3'));
    await closed;
    expect(answersIn(received())).toEqual(['</big >', '</2 >', '</3 >']);
  });

  maybe('without an end, of which little is read ahead', async () => {
    const { server, port } = await serve(LIMITS, tls());
    let most = 0;
    let handled = 0;
    server.on('request', ({ socket }) => {
      handled++;
      most = Math.max(most, socket.readableLength);
    });
    const { socket } = await openClient(port, secure);
    // 12 MB; it stops only with the connection.
    socket.write(offer('/1').repeat(100_000));
    while (handled < 2000) await new Promise(setImmediate);
    expect(most).toBeLessThan(256 << 10);
  });

  maybe('whose client leaves while they wait', async () => {
    const { server, port } = await serve(LIMITS, tls());
    const aborted: Promise<unknown>[] = [];
    server.on('request', (request) => aborted.push(once(request, 'close')));
    for (const ending of secure ? (['destroy'] as const) : (['destroy', 'resetAndDestroy'] as const)) {
      const { socket, until } = await openClient(port, secure);
      socket.write(plain('/big') + plain('/2') + offer('/3') + offer('/4'));
      await until('xxxx');
      socket[ending]();
    }
    await untilNone(server);
    await Promise.all(aborted);
  });

  maybe('whose client reads nothing', async () => {
    const { server, port } = await serve({ ...SHORT, requestMs: 200 }, tls());
    const accepted = once(server, 'connection');
    const { socket } = await openClient(port, secure);
    await accepted;
    socket.once('data', () => socket.pause());
    socket.write(plain('/big') + offer('/2'));
    await untilNone(server);
  });
});

test('many offers at once leave turns of the event loop to others', async () => {
  const { server, port } = await serve(LIMITS);
  const clients = await openMany(server, port);
  const perTurn = [0];
  server.on('request', () => {
    if (perTurn[0]!++ === 0) setImmediate(() => perTurn.unshift(0));
  });
  for (const { socket } of clients) socket.write(offer('/1'));
  await Promise.all(clients.map(({ until }) => until('</1 >')));
  // Eight, and those of the turn that begins before the count does.
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(16);
});

test('what the connections of one client hold while their offers wait is limited, and others are answered', async () => {
  const { server, port } = await serve(LIMITS);
  const accepted = new Set<Socket>();
  let offers = 0;
  server.on('connection', (socket) => accepted.add(socket)).on('upgrade', () => offers++);
  const clients = await openMany(server, port, false, 600);
  for (const { socket } of clients) socket.write(plain('/never') + offer('/1').repeat(1000));
  while (offers < clients.length) await new Promise(setImmediate);
  const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  other.end(offer('/2'));
  const pieces: Buffer[] = await other.toArray();
  expect(answersIn(Buffer.concat(pieces).toString())).toEqual(['</2 >']);
  const read = [...accepted].reduce((sum, { destroyed, readableLength }) => sum + (destroyed ? 0 : readableLength), 0);
  expect(read).toBeLessThan(64 << 20);
  expect(read).toBeGreaterThan(16 << 20);
  expect(countConnections(server)).toBeLessThan(clients.length);
  // What they held is free again once they are closed.
  endConnections(server);
  await untilNone(server);
  const { socket, until } = await openClient(port);
  socket.write(offer('/3').repeat(1000));
  await until('</3 >');
});

test('connections that break while their offers wait for a turn end nothing else', async () => {
  const { server, port } = await serve(LIMITS);
  const accepted: Socket[] = [];
  server.on('connection', (socket) => accepted.push(socket));
  const clients = await openMany(server, port);
  let offers = 0;
  server.on('upgrade', () => {
    if (++offers === 20) for (const each of accepted) each.destroy(new Error('broken'));
  });
  for (const { socket } of clients) socket.write(offer('/1'));
  await untilNone(server);
  const { socket, until } = await openClient(port);
  socket.write(offer('/2'));
  await until('</2 >');
});

test('a response that nobody makes does not keep its connection, nor does an offer behind it', async () => {
  const { port } = await serve(SHORT);
  const clients = [plain('/never'), plain('/never') + offer('/2')].map(async (requests) => {
    const { socket, closed } = await openClient(port);
    socket.write(requests);
    await closed;
  });
  await Promise.all(clients);
});

test('a connection that was taken over and that nobody uses is closed, unless its owner sets another limit', async () => {
  const taken = new EventEmitter<{ socket: [Socket] }>();
  const { server, port } = await serve(SHORT, undefined, {
    wants: ({ headers }) => headers.upgrade === 'ours',
    take: (_request, socket) => taken.emit('socket', socket),
  });
  /** Tries until it is taken over: on a busy machine its time may be up before. */
  const offerOurs = async (path: string) => {
    for (;;) {
      const client = await openClient(port);
      const attempt = Promise.race([once(taken, 'socket'), client.closed]);
      client.socket.write(plain(path) + offer('/2').replace('h2c', 'ours'));
      await attempt;
      if (!client.socket.closed) return client;
    }
  };
  // Taken over only after the earlier response.
  const idle = await offerOurs('/big');
  await idle.until('</big >');
  await untilNone(server);
  const keep = (socket: Socket) => socket.setTimeout(0).write('still there');
  taken.on('socket', keep);
  const kept = await offerOurs('/1');
  taken.off('socket', keep);
  await kept.until('still there');
  const another = await offerOurs('/1');
  await another.closed;
  while (countConnections(server) > 1) await new Promise(setImmediate);
  expect(kept.socket.closed).toBe(false);
  expect(countConnections(server)).toBe(1);
});

test('an offer behind the last response of a connection is not answered, as no request is', async () => {
  const { server, port } = await serve(LIMITS);
  const { socket, received, closed } = await openClient(port);
  socket.write(plain('/last') + offer('/2'));
  await closed;
  expect(answersIn(received())).toEqual(['</last >']);
  await untilNone(server);
});

const NO_OPENSSL = noOpenssl === undefined ? '' : ` (${noOpenssl})`;

(noOpenssl === undefined ? test : test.skip)(
  `connections that never begin a TLS handshake give way to others${NO_OPENSSL}`,
  async () => {
    const { server, port } = await serve({ ...LIMITS, connections: 20 }, makeCertificate());
    const silent = Array.from({ length: 40 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(silent.slice(0, 20).map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    const { socket, until } = await openClient(port, true);
    socket.write(plain('/1'));
    await until('</1 >');
    expect(countConnections(server)).toBe(20);
    for (const each of silent) each.destroy();
  },
);

/** What a client sends first to begin a TLS handshake. */
async function clientHello(): Promise<Buffer> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const client = connectTls((listener.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  const [accepted] = (await once(listener, 'connection')) as [Socket];
  const [hello] = (await once(accepted, 'data')) as [Buffer];
  client.destroy();
  accepted.destroy();
  listener.close();
  return hello;
}

(noOpenssl === undefined ? test : test.skip)(
  `what is no TLS handshake, or not a whole one, is counted to its end${NO_OPENSSL}`,
  async () => {
    const { server, port } = await serve({ ...LIMITS, requestMs: 300 }, makeCertificate());
    const hello = await clientHello();
    const attempts = [
      hello.subarray(0, hello.length / 2),
      hello,
      randomBytes(500),
      Buffer.from(plain('/1')),
      // Alerts, and empty records of a handshake.
      Buffer.alloc(700, Buffer.from('15030100020100', 'hex')),
      Buffer.alloc(5000, Buffer.from('1603010000', 'hex')),
    ];
    const ended = attempts.flatMap((bytes) =>
      ['write', 'end'].map(async (send) => {
        const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
          .on('error', () => undefined)
          .resume();
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket[send as 'write' | 'end'](bytes);
        socket.once('end', () => socket.destroy());
        await closed;
      }),
    );
    await inTime(async () => {
      const otherProtocol = connectTls({ port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false });
      const [refusal] = (await once(otherProtocol, 'error')) as [Error];
      expect(refusal.message).toMatch(/no application protocol/u);
    });
    await inTime(async () => {
      const { socket, until } = await openClient(port, true);
      socket.write(plain('/1'));
      await until('</1 >');
      socket.destroy();
    });
    await Promise.all(ended);
    await untilNone(server);
  },
);
