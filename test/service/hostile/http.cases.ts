import { once } from 'node:events';
import { gzipSync } from 'node:zlib';

import { inTime } from '../../support/service/in-time';
import { longResult, resultOf, startNode, TAKEN } from '../../support/service/node';
import { openRaw } from '../../support/service/raw';
import { startService, type TestService } from '../../support/service/service';

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const post = ({ key }: TestService, headers: readonly string[] = [], body = '') =>
  [`POST /v3/${key.key} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...headers, '', body].join('\r\n');
const whole = (service: TestService, body = CHAIN_ID) => post(service, [`Content-Length: ${body.length}`], body);

/** The service still answers others, reports itself healthy, and has logged nothing unexpected. */
async function expectWell(service: TestService): Promise<void> {
  expect(await service.call('eth_chainId')).toMatchObject({ result: '0x1' });
  expect(await (await fetch(`${service.operations}/health`)).json()).toMatchObject({ status: 'ok' });
  expect(service.logged()).not.toContain('unexpected error');
}

describe('a slow client', () => {
  const SHORT = { rpc: { limits: { requestMs: 100 } } };

  test.each<[string, (service: TestService) => string, (turn: number) => string]>([
    ['a head that never ends, line by line', (service) => post(service).slice(0, -2), (turn) => `X-${turn}: y\r\n`],
    ['a head that never ends, byte by byte', () => 'POST /', () => 'a'],
    ['a body that never ends, byte by byte', (service) => post(service, ['Content-Length: 1000']), () => ' '],
    ['chunks without end', (service) => post(service, ['Transfer-Encoding: chunked']), () => '1\r\n \r\n'],
    ['one chunk, byte by byte', (service) => `${post(service, ['Transfer-Encoding: chunked'])}fff\r\n`, () => ' '],
  ])('%s: 408, and the connection is closed', async (_name, begin, more) => {
    const service = await startService(SHORT);
    const { write, dribble, closed } = await openRaw(service.url);
    write(begin(service));
    dribble(more);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /u);
    await inTime(() => expectWell(service));
  });

  test('a silent connection is closed', async () => {
    const service = await startService(SHORT);
    const { closed } = await openRaw(service.url);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /u);
    await inTime(() => expectWell(service));
  });

  test('a response that nobody reads is dropped, and its slot is freed', async () => {
    const large = longResult('x'.repeat(30 << 20));
    const node = await startNode(({ id }, response) => large(id, response));
    const service = await startService({
      rpc: { limits: { requestMs: 300, connections: 1 } },
      networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }],
    });
    const idle = await openRaw(service.url);
    idle.write(whole(service, '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs"}'));
    await idle.until(/^HTTP\/1\.1 200/u);
    idle.socket.pause();
    // Rejected until the client that reads nothing is disconnected.
    let answer: unknown;
    for (let left = 20_000; answer === undefined && left > 0; left--)
      answer = await service.call('eth_chainId').catch(() => undefined);
    expect(answer).toMatchObject({ result: '0x1' });
  });

  test('a slow response is waited for', async () => {
    const node = await startNode(({ id }, response) => {
      setTimeout(() => response.end(resultOf(id, '0x10')), 400);
      return TAKEN;
    });
    const service = await startService({
      ...SHORT,
      networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }],
    });
    await inTime(async () => {
      expect(await service.call('eth_blockNumber')).toMatchObject({ result: '0x10' });
    });
  });
});

describe('oversized heads and bodies', () => {
  test.each<[string, string[], RegExp]>([
    ['a header of 20 kB', [`X: ${'a'.repeat(20_000)}`], /^HTTP\/1\.1 431 /u],
    ['ten thousand headers', Array.from({ length: 10_000 }, (_, i) => `a${i}: 1`), /^HTTP\/1\.1 431 /u],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6'], /^HTTP\/1\.1 400 /u],
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], /^HTTP\/1\.1 400 /u],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 5'], /^HTTP\/1\.1 400 /u],
    ['the same length twice', ['Content-Length: 5', 'Content-Length: 5'], /^HTTP\/1\.1 400 /u],
    ['a list of lengths', ['Content-Length: 5, 5'], /^HTTP\/1\.1 400 /u],
    ['a length with a sign', ['Content-Length: +5'], /^HTTP\/1\.1 400 /u],
    ['a length in hex', ['Content-Length: 0x5'], /^HTTP\/1\.1 400 /u],
    ['a length with a space inside', ['Content-Length: 5 5'], /^HTTP\/1\.1 400 /u],
    ['a length before a colon with a space', ['Content-Length : 5'], /^HTTP\/1\.1 400 /u],
    ['a length on a folded line', ['X: y', ' Content-Length: 5'], /^HTTP\/1\.1 400 /u],
    ['chunks twice', ['Transfer-Encoding: chunked, chunked'], /^HTTP\/1\.1 400 /u],
    ['chunks that are not last', ['Transfer-Encoding: chunked, identity'], /^HTTP\/1\.1 400 /u],
    ['the identity coding', ['Transfer-Encoding: identity', 'Content-Length: 5'], /^HTTP\/1\.1 400 /u],
    ['chunks in disguise', ['Transfer-Encoding: xchunked'], /^HTTP\/1\.1 400 /u],
    ['chunks behind a vertical tab', ['Transfer-Encoding:\vchunked'], /^HTTP\/1\.1 400 /u],
    ['a header after a carriage return alone', ['X: y\rContent-Length: 5'], /^HTTP\/1\.1 400 /u],
    ['a negative length', ['Content-Length: -1'], /^HTTP\/1\.1 400 /u],
    ['an unknown transfer coding', ['Transfer-Encoding: zip'], /^HTTP\/1\.1 400 /u],
    ['a header with a line feed alone', ['A: b\nC: d'], /^HTTP\/1\.1 400 /u],
    ['a header name with a space', ['A b: c'], /^HTTP\/1\.1 400 /u],
    ['an expectation nobody can meet', ['Expect: everything', 'Content-Length: 0'], /^HTTP\/1\.1 417 /u],
    ['a length of petabytes', ['Content-Length: 9007199254740991'], /^HTTP\/1\.1 413 /u],
  ])('%s', async (_name, headers, expected) => {
    const service = await startService();
    const { write, until } = await openRaw(service.url);
    write(post(service, headers));
    await until(expected);
    await expectWell(service);
  });

  // A proxy that reads a body's length otherwise than the service does could be made to send one client's request as
  // part of another's. So what two readers may take for different things ends its connection.
  test.each([
    ['a size with a sign', '+6'],
    ['a size with 0x', '0x6'],
    ['a size with a space in front', ' 6'],
    ['a size of 17 digits', '10000000000000006'],
    ['no size', ''],
    ['a size that is no number', 'z'],
  ])('chunks: %s ends the connection', async (_what, size) => {
    const service = await startService();
    const { write, closed } = await openRaw(service.url);
    write(`${post(service, ['Transfer-Encoding: chunked'])}${size}\r\n[1,2] \r\n0\r\n\r\n${whole(service)}`);
    const answers = await closed;
    expect(answers).toMatch(/^(?:HTTP\/1\.1 400 [^]*)?$/u);
    expect(answers.match(/HTTP\/1\.1/gu) ?? []).not.toHaveLength(2);
    expect(await service.used()).toBe(0);
  });

  test('chunks: what follows the last one is the next request, and nothing else', async () => {
    const service = await startService();
    const { write, until } = await openRaw(service.url);
    const chunk = `${CHAIN_ID.length.toString(16)};name=value\r\n${CHAIN_ID}\r\n0\r\nTrailer: x\r\n\r\n`;
    write(`${post(service, ['Transfer-Encoding: chunked', 'Trailer: Trailer'])}${chunk}${whole(service)}`);
    await until(/(?:HTTP\/1\.1 200 [^]*"0x1"[^]*){2}/u);
    expect(await service.used()).toBe(10);
  });

  test('a body in endless chunks is cut off at the limit, together with its sender', async () => {
    const service = await startService({ rpc: { limits: { bodyBytes: 100_000 } } });
    const { socket, write, until, closed } = await openRaw(service.url);
    write(post(service, ['Transfer-Encoding: chunked']));
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const pump = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', pump);
    pump();
    await Promise.race([until(/^HTTP\/1\.1 413 /u), closed]);
    await closed;
    await expectWell(service);
  });

  test('a body that is no JSON is refused before it has arrived, from 64 clients at once, and none of it is kept', async () => {
    const service = await startService({ rpc: { limits: { keyPerSecond: 1e6, keyBurst: 1e6 } } });
    const opened = await Promise.all(Array.from({ length: 64 }, () => openRaw(service.url)));
    for (const { write } of opened) {
      write(post(service, [`Content-Length: ${4 << 20}`]));
      write(`{"method":"eth_call","params":[,${'['.repeat(64 << 10)}`);
    }
    await Promise.all(opened.map(({ socket, received }) => once(socket, 'data').then(() => received())));
    // Those that wait for their turn hold nothing, either: more than all of them together fits.
    expect((await service.post({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).status).toBe(200);
    for (const { received, socket } of opened) {
      expect(received()).toMatch(/^HTTP\/1\.1 200 [^]*-32700/u);
      socket.destroy();
    }
    await expectWell(service);
  });

  test('a compressed body is not decompressed', async () => {
    const service = await startService();
    const packed = gzipSync(Buffer.alloc(50 << 20));
    const { write, until } = await openRaw(service.url);
    write(post(service, ['Content-Encoding: gzip', `Content-Length: ${packed.length}`]));
    write(packed);
    await until(/^HTTP\/1.1 415 [^]*content encoding/u);
    expect(await service.used()).toBe(0);
  });

  test('a batch with oversized responses is cut short, and the rest is not charged', async () => {
    const large = longResult('x'.repeat(5 << 20));
    const node = await startNode(({ id }, response) => large(id, response));
    const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }] });
    const batch = Array.from({ length: 40 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_getLogs', params: [{}] }));
    const { body } = await service.post(JSON.stringify([...batch, { jsonrpc: '2.0', method: 'eth_getLogs' }]));
    const answers = body as { id: number; result?: string; error?: { message: string } }[];
    expect(answers.map(({ id }) => id)).toEqual(batch.map(({ id }) => id));
    const answered = answers.filter(({ result }) => result !== undefined).length;
    // What was already asked of the node when the limit was reached is not charged either.
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThanOrEqual(node.calls.length);
    expect(node.calls.length).toBeLessThan(batch.length);
    expect(answers.at(-1)?.error?.message).toMatch(/^the responses of this batch exceed 64 MiB/u);
    const [one] = batch;
    const before = await service.used();
    await service.post(JSON.stringify(one));
    expect(before).toBe(answered * ((await service.used()) - before));
  });

  test('unlimited nesting is rejected with an explanation, wherever it is, and charged', async () => {
    const service = await startService();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const ask = async (method: string, params: string) =>
      (await service.post(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`)).body;
    const refused = { error: { code: -32600, message: expect.stringContaining('levels deep') as string } };
    expect(await ask('eth_chainId', deep)).toMatchObject(refused);
    expect(await ask('eth_getUncleByBlockNumberAndIndex', `[${deep},"0x0"]`)).toMatchObject(refused);
    expect((await service.post(deep)).body).toMatchObject(refused);
    expect((await service.post(`{"jsonrpc":"2.0","method":"eth_chainId","id":${deep}}`)).body).toMatchObject({
      error: { code: -32600 },
    });
    expect(await service.used()).toBeGreaterThan(0);
    await expectWell(service);
  });
});

test('a hundred requests on one connection at once are answered in order', async () => {
  const service = await startService();
  const { write, until } = await openRaw(service.url);
  const request = (id: number) => whole(service, `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`);
  write(Array.from({ length: 100 }, (_, id) => request(id)).join(''));
  await until(/"id":99,/u);
  const ids = await until(/.*/su).then(([all]) => [...all.matchAll(/"id":(\d+)/gu)].map(([, id]) => Number(id)));
  expect(ids).toEqual(Array.from({ length: 100 }, (_, id) => id));
  await expectWell(service);
});

test('requests queued behind a waiting one are answered after it', async () => {
  const held: (() => void)[] = [];
  const node = await startNode(({ id }, response) => {
    held.push(() => response.end(resultOf(id, '0x10')));
    return TAKEN;
  });
  const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }] });
  const { socket, write, received } = await openRaw(service.url);
  write(whole(service, '{"jsonrpc":"2.0","id":0,"method":"eth_blockNumber"}'));
  write(whole(service).repeat(99));
  await expectWell(service);
  while (held.length === 0) await service.call('eth_chainId');
  expect(received()).toBe('');
  for (const release of held) release();
  while ((received().match(/"0x1"/gu)?.length ?? 0) < 99) await once(socket, 'data');
});

test('a connection with more than a hundred requests in progress is closed', async () => {
  const node = await startNode(() => TAKEN);
  const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }] });
  const { write, closed } = await openRaw(service.url);
  write(whole(service, '{"jsonrpc":"2.0","id":0,"method":"eth_blockNumber"}'));
  write(whole(service).repeat(100));
  await closed;
  await expectWell(service);
});

test('long heads behind waiting requests, on many connections, are memory of their address; others have theirs', async () => {
  const node = await startNode(() => TAKEN);
  const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url: node.url } }] });
  const slow = whole(service, '{"jsonrpc":"2.0","id":0,"method":"eth_blockNumber"}');
  // Of one connection, these would not be too many: it is not read on while so many answers wait on it. Nobody's key is
  // needed for them.
  const behind = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(12 << 10)}\r\n\r\n`.repeat(40);
  const open = () => openRaw(service.url);
  const clients = await Promise.all(Array.from({ length: 40 }, open));
  const cut = Promise.race(clients.map(async ({ closed }) => closed));
  for (const { write } of clients) write(slow + behind);
  // Without an answer, as none of them is due.
  expect(await cut).toBe('');
  const other = await openRaw(service.url, '127.0.0.2');
  other.write(whole(service, '{"jsonrpc":"2.0","id":50,"method":"eth_blockNumber"}') + behind);
  await expectWell(service);
  expect(other.socket.destroyed).toBe(false);
  for (const { socket } of clients) socket.destroy();
  await expectWell(service);
});

test('invalid HTTP is answered 400 and cut off', async () => {
  const service = await startService();
  for (const garbage of ['\x16\x03\x01\x02\x00\x01\x00\x01', 'hello\r\n\r\n', '\0\0\0\0', 'GET / HTTP/9.9\r\n\r\n']) {
    const { write, closed } = await openRaw(service.url);
    write(garbage);
    expect(await closed).toMatch(/^HTTP\/1\.1 400 /u);
  }
  for (const method of ['CONNECT x:1', 'TRACE /', 'PROPFIND /']) {
    const { write, socket, closed } = await openRaw(service.url);
    write(`${method} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await closed).toMatch(/^(?:HTTP\/1\.1 404 .*)?$/su);
    socket.destroy();
  }
  await expectWell(service);
});

test.each([
  ['/v3/../v3/KEY'],
  ['/%76%33/KEY'],
  ['//v3/KEY'],
  ['/v3//KEY'],
  ['/v3/./KEY'],
  ['/v3/KEY/..'],
  ['/v3/KEY%2f'],
  ['/v3/KEY;x'],
  ['/v3/KEY#x'],
  ['/V3/KEY'],
  ['http:///v3/KEY'],
  ['http://user@other.example/v3/KEY'],
  ['http://other.example//v3/KEY'],
  ['ftp://other.example/v3/KEY'],
  ['*'],
  ['/v3/KEY%0d%0aX:%20y'],
  ['/v3/\u00e9KEY'],
])('%s does not reveal the key', async (path) => {
  const service = await startService();
  const { write, until } = await openRaw(service.url);
  const target = path.replace('KEY', service.key.key);
  write(Buffer.from(whole(service).replace(`/v3/${service.key.key}`, target), 'latin1'));
  await until(/^HTTP\/1\.1 40[014] /u);
  expect(await service.used()).toBe(0);
  expect(service.logged()).not.toContain(service.key.key);
});

test('whatever is in path, key, method, id and headers, every log line is one JSON object without the key', async () => {
  const service = await startService();
  const evil = '\r\n{"level":60,"msg":"forged"}\u001b[31m\u2028\u0085\u0000';
  for (const method of [evil, `eth_${evil}`, 'constructor'])
    await service.post(JSON.stringify({ jsonrpc: '2.0', id: evil, method, params: [evil] }));
  await service.post({ jsonrpc: '2.0', id: 1, method: 'eth_getUncleByBlockNumberAndIndex', params: [evil, evil] });
  const { write, closed } = await openRaw(service.url);
  const bytes = `POST /v3/${service.key.key}\x9b31m?x=%0d%0aforged HTTP/1.1\r\nHost: \x9bx\r\nUser-Agent: \x9b${'\t'}forged\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  write(Buffer.from(bytes, 'latin1'));
  expect(await closed).toMatch(/^HTTP\/1\.1 40[01] /u);
  const socket = await openRaw(service.url);
  socket.write(`GET /ws/v3/%0aforged HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`);
  expect(await socket.closed).toMatch(/^HTTP\/1\.1 401 /u);
  const lines = service.logged().split('\n').slice(0, -1);
  expect(lines.length).toBeGreaterThanOrEqual(3);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) as number });
  expect(service.logged()).not.toMatch(/(?!\n)[\p{Cc}\p{Zl}]|forged/u);
  expect(service.logged()).not.toContain(service.key.key);
});
