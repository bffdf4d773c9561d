import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type Socket } from 'node:net';
import { CID } from 'multiformats/cid';
import { digestOf } from '../../../support/storage/digest';
import { inTime } from '../../../support/service/in-time';
import { openRaw } from '../../../support/service/raw';
import { multipart } from '../../../support/storage/multipart';
import { startTestService, temporaryDirectory, type TestService } from '../../../support/storage/service';
import { expectWell, FORM_LINE, head, send } from '../../../support/storage/requests';

describe('a slow client', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ limits: { requestSeconds: 0.2 } });
  });
  afterAll(async () => {
    await inTime(() => expectWell(service));
    await service.discard();
  });

  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const PART = '--XbX\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
  test.each<[string, string, (turn: number) => string]>([
    ['a head that never ends', head('add', [FORM_LINE]).slice(0, -2), (turn) => `X-${turn}: y\r\n`],
    ['a body that never ends', head('add', [FORM_LINE, 'Content-Length: 100000']) + PART, () => 'x'],
    ['chunks without end', head('add', [FORM_LINE, 'Transfer-Encoding: chunked']) + chunk(PART), () => chunk('x')],
    ['a part head that never ends', head('add', [FORM_LINE, 'Content-Length: 100000']) + PART.slice(0, 20), () => 'x'],
    ['a body for a command that reads none', head('version', ['Content-Length: 100000']), () => 'x'],
    [
      'an epilogue that never ends',
      head('add', [FORM_LINE, 'Content-Length: 100000']) + multipart().toString(),
      () => 'x',
    ],
  ])('%s: cut off', async (_name, begin, more) => {
    const { write, dribble, closed } = await openRaw(service.url);
    write(begin);
    dribble(more);
    expect(await closed).toMatch(/^HTTP\/1\.1 (?:408|400|500|200) /u);
  });

  test('a silent connection', async () => {
    const { closed } = await openRaw(service.url);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /u);
  });
});

const SERVER_SOCKETS = 'net.server.socket';

/** Connects to a service in this process. `otherEnd` is its end, whose state shows even if nothing is read here. */
async function openWithOtherEnd({ url, port }: TestService) {
  const accepted = new Promise<Socket>((resolve) => {
    subscribe(SERVER_SOCKETS, function accept(message) {
      const { socket } = message as { socket: Socket };
      if (socket.localPort !== port) return;
      unsubscribe(SERVER_SOCKETS, accept);
      resolve(socket);
    });
  });
  return { ...(await openRaw(url)), otherEnd: await accepted };
}

describe('a client that reads none of its response', () => {
  let service: TestService;
  let cid: string;
  beforeAll(async () => {
    const patient = await startTestService();
    const added = await send(patient, 'add', { filename: 'f', content: Buffer.alloc(24 << 20, 'x') });
    cid = (JSON.parse(added.body.toString()) as { Hash: string }).Hash;
    await patient.stop();
    service = await startTestService({ dataDir: patient.dataDir, limits: { requestSeconds: 0.5 } });
  });
  afterAll(() => service.discard());

  test.each<[string, string[]]>([
    ['asked plainly', []],
    ['asked with Expect: 100-continue', ['Expect: 100-continue']],
  ])('%s: it is disconnected', async (_name, headers) => {
    await inTime(async () => {
      const { socket, write, until, closed, otherEnd } = await openWithOtherEnd(service);
      // More than all buffers on the way can hold.
      write(head(`cat?${`arg=${cid}&`.repeat(40)}`, ['Connection: close', ...headers]));
      await until(/xxxx/u);
      socket.pause();
      if (!otherEnd.destroyed) await once(otherEnd, 'close');
      socket.resume();
      // Cut off, not ended by the time limit of a request, which a busy machine may reach first and which is reported.
      expect(await closed).not.toContain('X-Stream-Error: ');
    });
  });
});

describe('a pipelining client', () => {
  let service: TestService;
  let cid: string;
  beforeAll(async () => {
    service = await startTestService();
    const added = await send(service, 'add', { filename: 'f', content: Buffer.alloc(24 << 20, 'x') });
    cid = (JSON.parse(added.body.toString()) as { Hash: string }).Hash;
  });
  afterAll(() => service.discard());

  test('is answered in order', async () => {
    const { write, closed } = await openRaw(service.url);
    const commands = [`cat?arg=${cid}&length=3`, 'version', `cat?arg=${cid}&length=2`, 'nothing', 'version'];
    write(commands.map((path, i) => head(path, i === 4 ? ['Connection: close'] : [])).join(''));
    expect((await closed).match(/HTTP\/1\.1 \d+|xx+|"Version"/gu)).toEqual([
      'HTTP/1.1 200',
      'xxx',
      'HTTP/1.1 200',
      '"Version"',
      'HTTP/1.1 200',
      'xx',
      'HTTP/1.1 404',
      'HTTP/1.1 200',
      '"Version"',
    ]);
  });

  test('that disconnects causes no more work, and a stop does not wait for it', async () => {
    const other = await startTestService({ dataDir: await temporaryDirectory() });
    const added = await send(other, 'add', { filename: 'f', content: Buffer.alloc(24 << 20, 'x') });
    const { Hash } = JSON.parse(added.body.toString()) as { Hash: string };
    const { socket, write, until } = await openRaw(other.url);
    write(head(`cat?arg=${Hash}`).repeat(50));
    await until(/x/u);
    socket.destroy();
    // A stop waits for running requests, up to their limit of ten minutes.
    await other.discard();
  });

  test('on many connections at once is cut off before its requests fill the memory', async () => {
    // Of one connection, these would not be too many.
    const long = head('version', ['Content-Length: 0', `X-Long: ${'x'.repeat(12 << 10)}`]).repeat(120);
    const clients = await Promise.all(Array.from({ length: 20 }, () => openRaw(service.url)));
    const cut = Promise.race(clients.map(async ({ closed }) => closed));
    for (const { write, socket, until } of clients) {
      write(head(`cat?${`arg=${cid}&`.repeat(40)}`));
      await until(/x/u);
      socket.pause();
      write(long);
    }
    for (const { socket } of clients) socket.resume();
    await cut;
    for (const { socket } of clients) socket.destroy();
    await expectWell(service);
  });

  test('without limit is cut off', async () => {
    const { socket, write, until, closed } = await openRaw(service.url);
    // More than all buffers on the way can hold.
    write(head(`cat?${`arg=${cid}&`.repeat(40)}`));
    await until(/x/u);
    socket.pause();
    write(head('version').repeat(1500));
    socket.resume();
    expect((await closed).match(/HTTP\/1\.1 200/gu)?.length).toBeLessThan(1200);
    await expectWell(service);
  });
});

describe('HTTP/1.0, as spoken by proxies', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ limits: { dagDepth: 1 } });
  });
  afterAll(async () => {
    await expectWell(service);
    await service.discard();
  });
  const ask = async (path: string, headers: readonly string[] = []) => {
    const { write, closed, socket } = await openRaw(service.url);
    const errors: unknown[] = [];
    socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code));
    write(head(path, headers).replace('HTTP/1.1', 'HTTP/1.0'));
    return { text: await closed, errors };
  };

  test('responses have neither chunks nor trailers', async () => {
    const { text, errors } = await ask('version');
    expect(text).toMatch(/^HTTP\/1\.1 200 /u);
    expect(text).toMatch(/\r\n\r\n\{"Version":.*\}\n$/u);
    expect(text).not.toMatch(/^(?:Trailer|Transfer-Encoding):/imu);
    expect(errors).toEqual([]);
    expect((await ask('cat?arg=nothing')).text).toMatch(/^HTTP\/1\.1 500 [^]*"Type":"error"\}\n$/u);
    // A client that announces support for chunks gets them.
    expect((await ask('version', ['TE: chunked'])).text).toMatch(/^Trailer: X-Stream-Error/imu);
  });

  test('a response that fails midway ends with a reset, so that it does not look complete', async () => {
    const tree = await send(service, 'add?pin=false', { content: 'x', filename: 'a/b/c/d' });
    const [, root = ''] = /"Name":"a","Hash":"(\w+)"/u.exec(tree.body.toString()) ?? [];
    const { text, errors } = await ask(`dag/export?arg=${root}`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /u);
    expect(errors).toEqual(['ECONNRESET']);
  });
});

test('many requests on one connection at once are answered in order', async () => {
  const service = await startTestService();
  const { write, socket, received } = await openRaw(service.url);
  const ids = Array.from({ length: 300 }, (_, i) => CID.createV1(0x55, digestOf(0, Buffer.from(`<${i}>`))).toString());
  write(ids.map((id) => head(`cat?arg=${id}`, ['Content-Length: 0'])).join(''));
  while (!received().includes('<299>')) await once(socket, 'data');
  expect([...received().matchAll(/<(\d+)>/gu)].map(([, i]) => Number(i))).toEqual(ids.map((_, i) => i));
  await expectWell(service);
  await service.discard();
});
