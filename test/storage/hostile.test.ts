import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type Socket } from 'node:net';
import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
import { digestOf } from '../../src/service/storage/hashes';
import { nameHash } from '../../src/service/storage/unixfs/hamt';
import { inTime } from '../service/support/in-time';
import { openRaw } from '../service/support/raw';
import { type FormPart, FORM, multipart } from './kit/multipart';
import { type RawAnswer, rawRequest } from './kit/rawHttp';
import { startTestService, temporaryDirectory, type TestService } from './kit/service';

/** Found by turning the last steps of MurmurHash3 (x64, 128 bits) around: a difference of one bit that the next word takes back. */
const NAMES_OF_ONE_HASH = [
  '\u076e2W\u03fd\u059d\ue0ebw\u02d0\u01f4\u5867Y\uf4243somename',
  '=O0ys1,f0dDKZy:B\u5867YrC\u05b0somename',
] as const;

const post = (service: TestService, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
  rawRequest(service.port, { path: `/api/v0/${path}`, headers, ...(body === undefined ? {} : { body }) });
const send = (service: TestService, path: string, ...parts: FormPart[]) =>
  post(service, path, FORM, multipart(...parts));
const message = (answer: RawAnswer): string =>
  answer.trailers['X-Stream-Error'] ?? (JSON.parse(answer.body.toString()) as { Message: string }).Message;

async function expectWell(service: TestService): Promise<void> {
  expect((await post(service, 'version')).status).toBe(200);
  expect(await service.problems()).toEqual([]);
  expect(service.warnings).toEqual([]);
}

const head = (path: string, headers: readonly string[] = []) =>
  [`POST /api/v0/${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const FORM_LINE = `Content-Type: ${FORM['Content-Type']}`;

describe('a client that takes its time', () => {
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
      'what comes after the last part',
      head('add', [FORM_LINE, 'Content-Length: 100000']) + multipart().toString(),
      () => 'x',
    ],
  ])('%s: cut off', async (_name, begin, more) => {
    const { write, dribble, closed } = await openRaw(service.url);
    write(begin);
    dribble(more);
    expect(await closed).toMatch(/^HTTP\/1\.1 (?:408|400|500|200) /u);
  });

  test('a connection over which nothing comes', async () => {
    const { closed } = await openRaw(service.url);
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /u);
  });
});

const SERVER_SOCKETS = 'net.server.socket';

/** Connects to a service of this process; `otherEnd` shows what that does with the connection, whatever is read here. */
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

describe('a client that takes nothing of its answer', () => {
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
  ])('%s: it is dropped', async (_name, headers) => {
    await inTime(async () => {
      const { socket, write, until, closed, otherEnd } = await openWithOtherEnd(service);
      // More than all buffers on the way take.
      write(head(`cat?${`arg=${cid}&`.repeat(40)}`, ['Connection: close', ...headers]));
      await until(/xxxx/u);
      socket.pause();
      if (!otherEnd.destroyed) await once(otherEnd, 'close');
      socket.resume();
      // Cut off: an answer that the request limit ended, before it filled the buffers of a busy machine, says so.
      expect(await closed).not.toContain('X-Stream-Error: ');
    });
  });
});

describe('a client that asks ahead', () => {
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

  test('and goes away: nothing is done for it any more, and a stop need not wait', async () => {
    const other = await startTestService({ dataDir: await temporaryDirectory() });
    const added = await send(other, 'add', { filename: 'f', content: Buffer.alloc(24 << 20, 'x') });
    const { Hash } = JSON.parse(added.body.toString()) as { Hash: string };
    const { socket, write, until } = await openRaw(other.url);
    write(head(`cat?arg=${Hash}`).repeat(50));
    await until(/x/u);
    socket.destroy();
    // Whatever still ran would be waited for, as long as a request may take: ten minutes.
    await other.discard();
  });

  test('without measure is cut off', async () => {
    const { socket, write, until, closed } = await openRaw(service.url);
    // More than all buffers on the way take.
    write(head(`cat?${`arg=${cid}&`.repeat(40)}`));
    await until(/x/u);
    socket.pause();
    write(head('version').repeat(1500));
    socket.resume();
    expect((await closed).match(/HTTP\/1\.1 200/gu)?.length).toBeLessThan(1200);
    await expectWell(service);
  });
});

describe('heads, paths and connections', () => {
  let service: TestService;
  const logged: { fields: object; text: string }[] = [];
  beforeAll(async () => {
    const log = (fields: object, text: string) => logged.push({ fields, text });
    service = await startTestService({
      authenticate: (key, secret) =>
        Promise.resolve(key === 'the-key' && secret === 'the-secret' ? 'tenant' : undefined),
      limits: { connections: 50 },
      logger: { info: log, warn: log, error: log },
    });
  });
  afterAll(() => service.discard());
  const AUTHORIZATION = `Authorization: Basic ${Buffer.from('the-key:the-secret').toString('base64')}`;
  const raw = async (target: string, headers: readonly string[] = []) => {
    const { write, closed } = await openRaw(service.url);
    const lines = [`POST ${target} HTTP/1.1`, 'Host: x', AUTHORIZATION, 'Connection: close', ...headers, '', ''];
    write(Buffer.from(lines.join('\r\n'), 'latin1'));
    return closed;
  };

  test.each<[string, string[], number]>([
    ['a header of 20 kB', [`X: ${'a'.repeat(20_000)}`], 431],
    ['ten thousand headers', Array.from({ length: 10_000 }, (_, i) => `a${i}: 1`), 431],
    ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], 400],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6'], 400],
    ['a header name with a space', ['A b: c'], 400],
    ['an expectation nobody can meet', ['Expect: everything'], 417],
    ['a length of petabytes', ['Content-Length: 9007199254740991'], 400],
  ])('%s', async (_name, headers, status) => {
    expect(await raw('/api/v0/version', headers)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `, 'u'));
  });

  test.each([
    '//',
    '//other.example/api/v0/version',
    'http://[',
    'http://user:the-secret@',
    '/api/v0/../v0/version',
    '/x/../api/v0/version',
    '/api/v0/%2e%2e/v0/version',
    '/api//v0/version',
    '/api/v0//version',
    '/api/v0/version/',
    '/API/v0/version',
    '/api/v0/repo%2fgc',
    '/api/v0/%72epo/gc',
    '/api/v0\\version',
    '*',
    '/api/v0/__proto__',
    '/api/v0/toString',
    '/api/v0/\u009bversion',
  ])('%s is no command', async (target) => {
    expect(await raw(target)).toMatch(/^HTTP\/1\.1 40[04] /u);
  });

  test('a command by its whole address is one', async () => {
    expect(await raw('http://storage.example/api/v0/version?number=true')).toMatch(/^HTTP\/1\.1 200 /u);
  });

  test('options given thousands of times, and names nobody knows', async () => {
    expect(await raw(`/api/v0/version?${'x=1&'.repeat(3000)}`)).toMatch(/^HTTP\/1\.1 200 /u);
    expect(await raw(`/api/v0/version?${'__proto__=1&constructor=2&'.repeat(300)}`)).toMatch(/^HTTP\/1\.1 200 /u);
    expect(await raw(`/api/v0/cat?${'arg=x&'.repeat(2000)}`)).toMatch(/^HTTP\/1\.1 400 /u);
    expect(await raw(`/api/v0/cat?${'offset=1&'.repeat(1500)}arg=x`)).toMatch(/^HTTP\/1\.1 400 /u);
  });

  test('a page whose own name leads here (DNS rebinding) is refused, and gets nothing to read', async () => {
    const page = async (host: string, headers: readonly string[]) => {
      const { write, closed } = await openRaw(service.url);
      write(head('version', [AUTHORIZATION, 'Connection: close', ...headers]).replace('Host: x', `Host: ${host}`));
      return closed;
    };
    const { port } = service;
    for (const host of ['evil.example', `evil.example:${port}`, `127.0.0.1.evil.example:${port}`]) {
      for (const headers of [
        [`Origin: http://${host}`],
        [`Referer: http://${host}/page`],
        ['User-Agent: Mozilla/5.0'],
        ['Origin: null'],
        [`Origin: http://localhost:${port}.evil.example`],
        [`Origin: http://localhost:${port + 1}`],
        ['Origin: '],
      ]) {
        const answer = await page(host, headers);
        expect(answer).toMatch(/^HTTP\/1\.1 403 /u);
        expect(answer).not.toMatch(/access-control-allow-origin/iu);
      }
    }
    expect(await page(`localhost:${port}`, [`Origin: http://localhost:${port}`])).toMatch(/^HTTP\/1\.1 200 /u);
  });

  test('which half of the credentials was wrong cannot be told from the answer', async () => {
    const answers = new Set<string>();
    for (const text of [
      'the-key:wrong',
      'wrong:the-secret',
      'wrong:wrong',
      'the-key:',
      ':the-secret',
      ':',
      'the-key',
      '',
    ]) {
      const { write, closed } = await openRaw(service.url);
      const encoded = Buffer.from(text).toString('base64');
      write(head('version', [`Authorization: Basic ${encoded}`, 'Connection: close']));
      answers.add((await closed).replace(/^Date: .*$/mu, ''));
    }
    expect(answers.size).toBe(1);
    expect([...answers][0]).toMatch(/^HTTP\/1\.1 403 /u);
  });

  test('nothing a client made up is logged', async () => {
    await raw('/api/v0/cat/%0d%0aforged');
    await raw('/v3/the-key/forged');
    await raw('http://the-key:the-secret@host/forged');
    await raw('/api/v0/\u009b31mforged', ['User-Agent: forged', 'Referer: http://forged/', 'Origin: http://forged']);
    await raw('/api/v0/add/forged?arg=forged', [FORM_LINE]);
    const all = JSON.stringify(logged);
    expect(logged.length).toBeGreaterThan(30);
    expect(all).toContain('"command":"version"');
    expect(all).not.toMatch(/forged|the-key|the-secret|\\u00/u);
  });

  test('beyond the limit connections are closed; others go on, and places become free', async () => {
    const idle = await Promise.all(Array.from({ length: 50 }, () => openRaw(service.url)));
    const more = await openRaw(service.url);
    expect(await more.closed).toBe('');
    const [first] = idle;
    first?.write(head('version', [AUTHORIZATION, 'Content-Length: 0']));
    await first?.until(/^HTTP\/1\.1 200 /u);
    for (const { socket } of idle) socket.destroy();
    let answer = '';
    for (let left = 1000; answer === '' && left > 0; left--) answer = await raw('/api/v0/version');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /u);
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

describe('bombs', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ limits: { dagPending: 500, entries: 300, dagDepth: 200, requestSeconds: 20 } });
  });
  afterAll(async () => {
    await expectWell(service);
    await service.discard();
  });

  const put = async (node: dagPb.PBNode): Promise<CID> => {
    const answer = await send(service, 'block/put?cid-codec=dag-pb', { content: dagPb.encode(node) });
    return CID.parse((JSON.parse(answer.body.toString()) as { Key: string }).Key);
  };
  const SHARD = new UnixFS({ type: 'hamt-sharded-directory', fanout: 256n, hashType: 0x22n }).marshal();
  const DIRECTORY = new UnixFS({ type: 'directory' }).marshal();
  const link = (Hash: CID, Name: string) => ({ Hash, Name, Tsize: 1 });
  const label = (index: number) => index.toString(16).toUpperCase().padStart(2, '0');

  test.each(['ls', 'get', 'ls?stream=true&', 'resolve'])(
    '%s of a sharded directory of sixty small blocks that unfolds to 10^60 shards',
    async (command) => {
      let cid = await put({ Data: SHARD, Links: [] });
      for (let level = 0; level < 60; level++) {
        cid = await put({ Data: SHARD, Links: Array.from({ length: 10 }, (_, i) => link(cid, label(i))) });
      }
      const path = command === 'resolve' ? `${cid.toString()}/name` : cid.toString();
      const answer = await post(service, `${command}${command.includes('?') ? '' : '?'}arg=${path}`);
      expect(message(answer)).toMatch(/^the sharded directory has shard \w+ twice$|^no link named "name"/u);
    },
  );

  test('a directory that unfolds to 10^50 empty ones: the archive ends when the client goes', async () => {
    let cid = await put({ Data: DIRECTORY, Links: [] });
    for (let level = 0; level < 50; level++) {
      cid = await put({ Data: DIRECTORY, Links: Array.from({ length: 10 }, (_, i) => link(cid, `d${i}`)) });
    }
    const { write, until, socket } = await openRaw(service.url);
    write(head(`get?arg=${cid.toString()}`, ['Content-Length: 0']));
    await until(/d0\/d0\/d0/u);
    // While it unfolds, others are answered.
    expect((await post(service, 'version')).status).toBe(200);
    socket.destroy();
    expect((await post(service, `dag/stat?arg=${cid.toString()}&progress=false`)).body.toString()).toContain(
      '"UniqueBlocks":51',
    );
  });

  test('a directory deep and broad: what waits to be walked is bounded', async () => {
    let cid = await put({ Data: DIRECTORY, Links: [] });
    const absent = Array.from({ length: 20 }, (_, i) => CID.createV1(0x55, digestOf(0x12, Buffer.from(`absent ${i}`))));
    for (let level = 0; level < 60; level++) {
      const links = [link(cid, 'a'), ...absent.map((each, i) => link(each, `b${label(i)}`))];
      cid = await put({ Data: DIRECTORY, Links: links });
    }
    const expected = 'the DAG has more than the allowed 500 links side by side';
    expect(message(await post(service, `pin/add?arg=${cid.toString()}`))).toContain(expected);
    expect(message(await post(service, `dag/export?arg=${cid.toString()}`))).toContain(expected);
    expect((await post(service, `refs?arg=${cid.toString()}&recursive=true`)).body.toString()).toContain(expected);
  });

  test('a listing that would have to be held whole is bounded, the same one streamed is not', async () => {
    const leaf = CID.createV1(0x55, digestOf(0, Buffer.from('x')));
    const cid = await put({
      Data: DIRECTORY,
      Links: Array.from({ length: 200 }, (_, i) => link(leaf, `f${i.toString().padStart(3, '0')}`)),
    });
    const twice = `arg=${cid.toString()}&arg=${cid.toString()}`;
    expect(message(await post(service, `ls?${twice}`))).toBe(
      'there are more than the allowed 300 entries; list them with stream=true',
    );
    expect((await post(service, `ls?stream=true&${twice}`)).body.toString().match(/"Objects"/gu)).toHaveLength(400);
  });

  test('names made to have the same hash are refused in a large directory, and nobody waits for them', async () => {
    const [one, other] = NAMES_OF_ONE_HASH;
    expect(Buffer.from(await nameHash(one)).equals(Buffer.from(await nameHash(other)))).toBe(true);
    const names = [one, other, ...Array.from({ length: 5000 }, (_, i) => `an ordinary name of a file, number ${i}`)];
    const parts = names.map((name) => ({ content: 'x', filename: encodeURIComponent(`d/${name}`) }));
    const answer = await send(service, 'add?quieter=true&pin=false', ...parts);
    expect(message(answer)).toMatch(/their hashes are the same$/u);
    // The same names in a small directory are two names like any other.
    const small = await send(service, 'add?pin=false', ...parts.slice(0, 2));
    expect(small.body.toString()).toContain('"Name":"d"');
  });

  test('an identity CID in place of a directory, a shard, a file', async () => {
    const inline = (bytes: Uint8Array) => CID.createV1(0x70, digestOf(0, bytes)).toString();
    for (const command of ['ls', 'get', 'cat', 'dag/get', 'pin/add', 'refs', 'object/get', 'dag/stat']) {
      for (const bytes of [Buffer.alloc(0), Buffer.alloc(128, 0x0a), dagPb.encode({ Data: SHARD, Links: [] })]) {
        const { status } = await post(service, `${command}?arg=${inline(bytes)}`);
        expect([200, 400, 500]).toContain(status);
      }
    }
  });
});
