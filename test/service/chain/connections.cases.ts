import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { longResult, startNode } from '../../support/service/node';
import { openRaw } from '../../support/service/raw';
import { startService, type TestService } from '../../support/service/service';

const request = (id: unknown, method = 'eth_chainId') => JSON.stringify({ jsonrpc: '2.0', id, method, params: [] });

/** A request as programs send it: head and body in one piece. */
function message(key: string, body: string, fields: readonly string[] = []): string {
  const length = Buffer.byteLength(body);
  const head = [`POST /v3/${key} HTTP/1.1`, 'host: localhost', 'content-type: application/json', ...fields];
  return `${[...head, `content-length: ${length}`].join('\r\n')}\r\n\r\n${body}`;
}

type Answer = { status: number; head: string; body: string };

/** A bare connection; answers are taken off one by one. */
class Connection {
  readonly socket: Socket;
  #held = Buffer.alloc(0);

  constructor({ url }: TestService) {
    this.socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay();
    // A reset is one way of closing.
    this.socket.on('error', () => undefined);
    this.socket.on('data', (data) => (this.#held = Buffer.concat([this.#held, data])));
    open.push(this.socket);
  }

  send(data: string): this {
    this.socket.write(data);
    return this;
  }

  async next(): Promise<Answer> {
    for (;;) {
      const end = this.#held.indexOf('\r\n\r\n');
      const head = this.#held.toString('latin1', 0, Math.max(end, 0));
      const length = Number(/^content-length: (\d+)$/imu.exec(head)?.[1] ?? 0);
      if (end >= 0 && this.#held.length >= end + 4 + length) {
        const body = this.#held.toString('utf8', end + 4, end + 4 + length);
        this.#held = this.#held.subarray(end + 4 + length);
        return { status: Number(head.slice(9, 12)), head, body };
      }
      await once(this.socket, 'data');
    }
  }

  async ask(data: string): Promise<Answer> {
    return this.send(data).next();
  }
}

const open: Socket[] = [];

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

describe('a connection', () => {
  test('is kept for any number of requests, with or without unusual fields', async () => {
    const service = await startService();
    const { key } = service.key;
    const connection = new Connection(service);
    for (const [id, fields] of [[], [], ['te: trailers'], [], ['te: trailers'], []].entries())
      expect(JSON.parse((await connection.ask(message(key, request(id), fields))).body)).toMatchObject({ id });
  });

  test('survives a request that offers HTTP/2, in one piece or in two', async () => {
    const service = await startService();
    const { key } = service.key;
    const offer = ['connection: Upgrade, HTTP2-Settings', 'upgrade: h2c', 'http2-settings: AAMAAABkAAQAAP__'];
    const connection = new Connection(service);
    for (const [id, fields] of [offer, [], offer].entries())
      expect(JSON.parse((await connection.ask(message(key, request(id), fields))).body)).toMatchObject({ id });
    const whole = message(key, request(3), offer);
    connection.send(whole.slice(0, -9));
    await new Promise(setImmediate);
    expect(JSON.parse((await connection.ask(whole.slice(-9))).body)).toMatchObject({ id: 3, result: '0x1' });
  });

  test('answers simultaneous requests in order', async () => {
    const service = await startService();
    const { key } = service.key;
    const ids = async (connection: Connection, count: number) => {
      const found: unknown[] = [];
      while (found.length < count) found.push((JSON.parse((await connection.next()).body) as { id: unknown }).id);
      return found;
    };
    const together = new Connection(service).send([1, 2, 3].map((id) => message(key, request(id))).join(''));
    expect(await ids(together, 3)).toEqual([1, 2, 3]);
    const pieces = new Connection(service);
    await once(pieces.socket, 'connect');
    for (const id of [1, 2, 3, 4]) {
      pieces.send(message(key, request(id)));
      await new Promise(setImmediate);
    }
    expect(await ids(pieces, 4)).toEqual([1, 2, 3, 4]);
  });

  test('accepts a request in pieces, however it is split', async () => {
    const service = await startService();
    const whole = message(service.key.key, request('é'));
    const bytes = Buffer.from(whole);
    for (const at of [1, 20, whole.indexOf('\r\n\r\n') + 2, whole.indexOf('\r\n\r\n') + 4, bytes.length - 1]) {
      const connection = new Connection(service);
      expect(JSON.parse((await connection.ask(message(service.key.key, request(0)))).body)).toMatchObject({ id: 0 });
      connection.socket.write(bytes.subarray(0, at));
      await new Promise(setImmediate);
      connection.socket.write(bytes.subarray(at));
      expect(JSON.parse((await connection.next()).body)).toMatchObject({ id: 'é', result: '0x1' });
    }
  });

  test('accepts a body of many pieces after a request', async () => {
    const node = await startNode(() => '0x1');
    const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }] });
    const connection = new Connection(service);
    await connection.ask(message(service.key.key, request(1)));
    const padded = request(2, 'eth_call').replace('[]', `[${' '.repeat(200_000)}]`);
    expect(JSON.parse((await connection.ask(message(service.key.key, padded))).body)).toMatchObject({ id: 2 });
  });

  test('a body that is too large is rejected, even in one piece', async () => {
    const service = await startService({ rpc: { limits: { bodyBytes: 100 } } });
    const { status } = await new Connection(service).ask(message(service.key.key, request('x'.repeat(200))));
    expect(status).toBe(413);
  });

  test('is closed when it stays silent', async () => {
    const service = await startService({ rpc: { limits: { requestMs: 100 } } });
    const connection = new Connection(service);
    await once(connection.socket, 'close');
    const started = new Connection(service).send('POST /v3/');
    expect((await started.next()).status).toBe(408);
  });

  test('ends when the client closes', async () => {
    const service = await startService();
    const connection = new Connection(service);
    await connection.ask(message(service.key.key, request(1)));
    connection.socket.end();
    await once(connection.socket, 'close');
  });

  test('a stop lets a response be received completely', async () => {
    const result = 'x'.repeat(30 << 20);
    const large = longResult(result);
    const node = await startNode(({ id }, response) => large(id, response));
    const service = await startService({
      rpc: { drainMs: 600_000 },
      networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }],
    });
    const slow = await openRaw(service.url);
    slow.write(message(service.key.key, request(1, 'eth_getLogs')));
    await once(slow.socket, 'data');
    slow.socket.pause();
    const stopped = service.stop();
    slow.socket.resume();
    expect((await slow.closed).length).toBeGreaterThan(result.length);
    await stopped;
  });

  test('a request already on its way when a stop begins is answered, as the last one', async () => {
    const service = await startService({ rpc: { drainMs: 600_000 } });
    const connection = new Connection(service);
    await connection.ask(message(service.key.key, request(1)));
    const ended = once(connection.socket, 'end');
    const stopped = service.stop();
    const { status, head } = await connection.ask(message(service.key.key, request(2)));
    expect([status, /^connection: (.*)$/imu.exec(head)?.[1]]).toEqual([200, 'close']);
    await ended;
    await stopped;
  });

  test('a stop closes it when it is idle', async () => {
    const service = await startService();
    const idle = new Connection(service);
    await idle.ask(message(service.key.key, request(1)));
    const closed = once(idle.socket, 'close');
    await service.stop();
    await closed;
  });
});
