import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import * as dagPb from '@ipld/dag-pb';
import { buildSync } from 'esbuild';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
import { StorageClient, StorageError } from '../../src/clients/storage';
import { varint } from '../../src/clients/storage/bytes';
import { cidBytes, cidOf, DAG_PB } from '../../src/clients/storage/cid';
import { DagClient } from '../../src/clients/storage/dag';
import { multipart } from '../../src/clients/storage/multipart';
import { digestOf } from '../../src/service/storage/hashes';
import { startTestService, type TestService } from './kit/service';

const CHUNK = 262_144;

/** Bytes without a period, the same in every run. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 12345;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

async function failureOf(action: Promise<unknown>): Promise<StorageError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StorageError) return error;
  throw new Error(`expected a StorageError, got ${String(error)}`);
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('the storage client against the service', () => {
  let service: TestService;
  let client: StorageClient;

  beforeAll(async () => {
    service = await startTestService({
      authenticate: (key, secret) => Promise.resolve(key === 'key' && secret === 'sécret' ? 'tenant' : undefined),
    });
    client = new StorageClient({ url: service.url, key: 'key', secret: 'sécret' });
  });
  afterAll(() => service.discard());

  test.each([0, 1, 12, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7])('gives back %d bytes', async (length) => {
    const bytes = noise(length);
    for (const options of [{}, { cidVersion: 1 } as const, { cidVersion: 1, rawLeaves: false } as const]) {
      const { cid } = await client.add(bytes, options);
      expect(Buffer.compare(await client.read(cid), bytes)).toBe(0);
    }
  });

  test('computes the CID of a tree of more than one level', async () => {
    const bytes = noise(174 * 1024 + 1);
    const { cid } = await client.add(bytes, { chunkSize: 1024 });
    expect(Buffer.compare(await client.read(cid), bytes)).toBe(0);
  });

  test('reads ranges', async () => {
    const bytes = noise(2 * CHUNK + 100);
    const { cid } = await client.add(bytes);
    for (const [offset, length] of [
      [0, 10],
      [CHUNK - 5, 10],
      [CHUNK, CHUNK],
      [2 * CHUNK + 90, 50],
      [9 ** 9, 5],
    ] as const) {
      expect(Buffer.compare(await client.read(cid, { offset, length }), bytes.subarray(offset, offset + length))).toBe(
        0,
      );
      const plain = await client.read(cid, { offset, length, verify: false });
      expect(Buffer.compare(plain, bytes.subarray(offset, offset + length))).toBe(0);
    }
  });

  test('adds directories and reads through them', async () => {
    const added = await client.addAll(
      [
        { path: 'docs/read me.txt', content: 'hello' },
        { path: 'docs/deep/ünï%2F.txt', content: 'deep' },
        { path: 'top', content: new Blob(['from a blob']) },
      ],
      { wrap: true },
    );
    const root = added.at(-1)!;
    expect(root.path).toBe('');
    expect((await collect(client.ls(root.cid))).map(({ name }) => name)).toEqual(['docs', 'top']);
    expect(Buffer.from(await client.read(`${root.cid}/docs/deep/ünï%2F.txt`)).toString()).toBe('deep');
    expect(Buffer.from(await client.read(`/ipfs/${root.cid}/top`)).toString()).toBe('from a blob');
    const missing = await failureOf(client.read(`${root.cid}/nothing`));
    expect(missing.kind).toBe('refused');
  });

  test('reads sharded directories', async () => {
    const files = Array.from({ length: 4500 }, (_, index) => ({
      path: `d/entry-number-${index}`,
      content: `${index % 7}`,
    }));
    const added = await client.addAll(files);
    const root = added.find(({ path }) => path === 'd')!;
    expect((await collect(client.ls(root.cid))).length).toBe(4500);
    expect(Buffer.from(await client.read(`${root.cid}/entry-number-4321`)).toString()).toBe(String(4321 % 7));
    const list = await client.call<{ Objects: { Links: unknown[] }[] }>('ls', [root.cid]);
    expect(list.Objects[0]?.Links.length).toBe(4500);
    const resolved = await client.call<{ Cid: { '/': string } }>('dag/resolve', [`${root.cid}/entry-number-4321`]);
    expect(resolved.Cid['/']).toBe(added.find(({ path }) => path === 'd/entry-number-4321')?.cid);
  });

  test('exports a DAG with content inside its CIDs', async () => {
    const form = multipart([{ path: 'inline', content: Buffer.from('short') }]);
    const query = { inline: true, 'inline-limit': 32, 'wrap-with-directory': true };
    const lines = client.transport.objects<{ Hash: string }>(
      await client.transport.post('add', [], query, {}, form),
      {},
    );
    const cids = (await collect(lines)).map(({ Hash }) => Hash);
    const blocks = await collect(new DagClient(client).export(cids[1]!));
    expect(blocks.map(({ cid }) => cid)).toEqual([...cids].reverse());
    expect(Buffer.from(blocks[1]!.bytes).toString()).toContain('short');
  });

  test('nodes, pins and progress', async () => {
    const dag = new DagClient(client);
    const { cid: file } = await client.add('linked', { pin: false });
    const value = { list: [1, -5, 1.5, true, null, 'text'], link: { '/': file }, bytes: { '/': { bytes: 'AAEC' } } };
    const cid = await dag.put(value);
    expect(await dag.get(cid)).toEqual(value);
    for (const large of [2 ** 60, 2n ** 63n, -(2n ** 60n), 1e300]) {
      expect(String(await dag.get(await dag.put(large)))).toBe(String(large === 2 ** 60 ? BigInt(large) : large));
    }
    expect((await failureOf(dag.put([NaN]))).kind).toBe('unsupported');
    expect((await collect(dag.export(cid))).map((block) => block.cid)).toEqual([cid, file]);
    expect(await dag.putBlock(new Uint8Array([1, 2, 3]))).toMatch(/^bafkrei/);
    await client.pinAdd(cid, { name: 'mine' });
    expect(await collect(client.pinLs())).toContainEqual({ cid, type: 'recursive', name: 'mine' });
    await client.pinRm(cid);
    expect(await collect(client.pinLs())).not.toContainEqual(expect.objectContaining({ cid }));

    const seen: [number, number | undefined][] = [];
    const bytes = noise(3 * CHUNK);
    await client.add(bytes, { onProgress: (done, total) => seen.push([done, total]) });
    expect(seen.at(-1)).toEqual([3 * CHUNK, 3 * CHUNK]);
    expect(await client.objectGet(file)).toMatchObject({ links: [] });
  });

  test('says why it failed', async () => {
    const wrong = await failureOf(new StorageClient({ url: service.url, key: 'key', secret: 'x' }).add('x'));
    expect([wrong.kind, wrong.status]).toEqual(['refused', 403]);
    const absent = await failureOf(client.read('QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'));
    expect([absent.kind, absent.status, absent.code]).toEqual(['refused', 500, 0]);
    expect((await failureOf(client.read('nonsense'))).kind).toBe('unsupported');
    const abort = new AbortController();
    abort.abort();
    expect((await failureOf(client.add('x', { signal: abort.signal }))).kind).toBe('aborted');
    expect((await failureOf(new StorageClient({ url: 'http://127.0.0.1:1' }).add('x'))).kind).toBe('network');
  });
});

describe('the storage client against a server that lies', () => {
  let server: Server;
  let answer: (path: string, response: ServerResponse) => void;
  let client: StorageClient;

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        answer(request.url ?? '', response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = new StorageClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const HELLO = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';

  test('wrong bytes', async () => {
    answer = (_path, response) => response.end('something else');
    expect((await failureOf(client.read(HELLO))).kind).toBe('integrity');
  });

  test('a wrong CID for what was added', async () => {
    answer = (_path, response) => response.end(`{"Name":"${HELLO}","Hash":"${HELLO}","Size":"20"}\n`);
    expect((await failureOf(client.add('other content'))).kind).toMatch(/integrity|truncated/);
  });

  test('an unverified file that is shorter than announced', async () => {
    answer = (_path, response) => response.writeHead(200, { 'X-Content-Length': '100' }).end('short');
    expect((await failureOf(client.read(HELLO, { verify: false }))).kind).toBe('truncated');
    answer = (_path, response) => response.end('no length at all');
    expect((await failureOf(client.read(HELLO, { verify: false }))).kind).toBe('truncated');
  });

  test('a node whose link holds more than a CID may', async () => {
    const link = Buffer.concat([Buffer.from([1, 0x55, 0, ...varint(1000)]), Buffer.alloc(1000)]);
    const inner = [0x0a, ...varint(link.length), ...link];
    const block = Uint8Array.from([0x12, ...varint(inner.length), ...inner]);
    const { text } = await cidOf(0, DAG_PB, block);
    answer = (_path, response) => response.end(block);
    expect((await failureOf(client.objectGet(text))).kind).toBe('integrity');
  });

  test('a sharded directory of thirty small blocks that unfolds to 10^30 shards', async () => {
    const blocks = new Map<string, Uint8Array>();
    const put = (links: readonly CID[]) => {
      const Data = new UnixFS({ type: 'hamt-sharded-directory', fanout: 256n, hashType: 0x22n }).marshal();
      const Links = links.map((Hash, index) => ({ Hash, Name: `0${index}`, Tsize: 1 }));
      const bytes = dagPb.encode({ Data, Links });
      const cid = CID.createV1(dagPb.code, digestOf(0x12, bytes));
      blocks.set(cid.toString(), bytes);
      return cid;
    };
    let root = put([]);
    for (let level = 0; level < 30; level++) root = put(Array.from({ length: 10 }, () => root));
    answer = (path, response) => response.end(blocks.get(new URLSearchParams(path.split('?')[1]).get('arg') ?? ''));
    expect((await failureOf(collect(client.ls(root.toString())))).kind).toBe('integrity');
    expect((await failureOf(client.read(`${root.toString()}/name`))).kind).toBe('integrity');
  });

  test('nodes that claim more than they hold, or are nested without end', async () => {
    const dag = new DagClient(client);
    // Lists of half a million members each, one in the other: the room for a few hundred of them is more than there is.
    const list = Buffer.from('9a00080000', 'hex');
    const nested = Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    const header = Buffer.from('11a265726f6f7473806776657273696f6e01', 'hex');
    const claims = Buffer.concat(Array.from({ length: 1 << 17 }, () => list));
    const { text } = await cidOf(1, 0x71, claims);
    answer = (_path, response) => response.end(claims);
    expect((await failureOf(dag.get(text))).kind).toBe('integrity');
    const deep = await cidOf(1, 0x0129, nested);
    const section = Buffer.concat([cidBytes(deep), nested]);
    answer = (_path, response) => response.end(Buffer.concat([header, Buffer.from(varint(section.length)), section]));
    expect((await collect(dag.export(deep.text))).map(({ cid }) => cid)).toEqual([deep.text]);
  });

  test('a stream of objects that is cut, or ends with an error', async () => {
    answer = (_path, response) => response.end('{"Cid":"a","Type":"recursive"}\n{"Cid":');
    expect((await failureOf(collect(client.pinLs()))).kind).toBe('truncated');
    answer = (_path, response) =>
      response.end('{"Cid":"a","Type":"recursive"}\n{"Message":"broken","Code":0,"Type":"error"}\n');
    expect(await failureOf(collect(client.pinLs()))).toMatchObject({ kind: 'stream', message: 'broken' });
  });

  test('a connection that breaks', async () => {
    answer = (_path, response) => {
      response.writeHead(200, { 'Content-Length': '100', 'X-Content-Length': '100' });
      response.write('part', () => response.destroy());
    };
    expect((await failureOf(client.read(HELLO, { verify: false }))).kind).toBe('network');
  });

  test('a CAR without all of its blocks', async () => {
    const header = Buffer.from('11a265726f6f7473806776657273696f6e01', 'hex');
    const dag = new DagClient(client);
    answer = (_path, response) => response.end(header);
    expect((await failureOf(collect(dag.export(HELLO)))).kind).toBe('truncated');
    answer = (_path, response) => response.end(header.subarray(0, 9));
    expect((await failureOf(collect(dag.export(HELLO)))).kind).toBe('truncated');
    answer = (_path, response) => response.end(Buffer.concat([header, Buffer.from(varint(2 ** 40)), header]));
    expect((await failureOf(collect(dag.export(HELLO)))).kind).toBe('integrity');
  });
});

test('the client is 5 kB, and needs nothing that a snap has not got', () => {
  const { outputFiles } = buildSync({
    entryPoints: ['src/clients/storage/index.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const code = outputFiles[0]!;
  expect(gzipSync(code.contents, { level: 9 }).length).toBeLessThanOrEqual(5050);
  expect(code.text).not.toMatch(/\b(FormData|ReadableStream|XMLHttpRequest|Buffer|process|require|setTimeout)\b/);
});
