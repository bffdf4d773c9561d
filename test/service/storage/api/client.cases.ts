import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { base58btc } from 'multiformats/bases/base58';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { StorageClient, StorageError } from '../../../../src/clients/storage';
import { collect, Reader } from '../../../../src/clients/storage/bytes';
import { parseCid, readCid } from '../../../../src/clients/storage/cid';
import { DagClient, type DagValue } from '../../../../src/clients/storage/dag';
import { multipart } from '../../../../src/clients/storage/multipart';
import { failureOf } from '../../../support/storage/failure';
import { startTestService, type TestService } from '../../../support/storage/service';

const CHUNK = 262_144;

/** Bytes that do not repeat, the same in every run. */
function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 12345;
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

describe('the storage client against the service', () => {
  let service: TestService;
  let client: StorageClient;

  beforeAll(async () => {
    service = await startTestService({
      authenticate: (key, secret) =>
        Promise.resolve(key === 'key' && secret === 'sécret' ? { id: 'tenant' } : undefined),
    });
    client = new StorageClient({ url: service.url, key: 'key', secret: 'sécret' });
  });
  afterAll(() => service.discard());

  test.each([0, 1, 12, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7])('returns %d bytes', async (length) => {
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
    // Long names: a directory of more than 256 KiB is sharded.
    const nameOf = (index: number) => `entry-number-${index}-${'x'.repeat(200)}`;
    const files = Array.from({ length: 1200 }, (_, index) => ({
      path: `d/${nameOf(index)}`,
      content: `${index % 7}`,
    }));
    const added = await client.addAll(files);
    const root = added.find(({ path }) => path === 'd')!;
    expect((await collect(client.ls(root.cid))).length).toBe(1200);
    expect(Buffer.from(await client.read(`${root.cid}/${nameOf(1021)}`)).toString()).toBe(String(1021 % 7));
    const list = await client.call<{ Objects: { Links: unknown[] }[] }>('ls', [root.cid]);
    expect(list.Objects[0]?.Links.length).toBe(1200);
    const resolved = await client.call<{ Cid: { '/': string } }>('dag/resolve', [`${root.cid}/${nameOf(1021)}`]);
    expect(resolved.Cid['/']).toBe(added.find(({ path }) => path === `d/${nameOf(1021)}`)?.cid);
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
    expect((await failureOf(dag.put({ '/': 'no CID' }))).kind).toBe('unsupported');
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

  test('files without a name, and several of the same name, are each compared with their own line', async () => {
    const added = await client.addAll([
      { content: '1' },
      { content: '2' },
      { path: 'a', content: '3' },
      { path: 'a', content: '4' },
    ]);
    expect(await Promise.all(added.map(async ({ cid }) => new TextDecoder().decode(await client.read(cid))))).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]);
    const [half] = await client.addAll([{ path: 'a\ud800b', content: '5' }]);
    expect(half!.path).toBe('a\ufffdb');
  });

  test.each(['', '/', '.', './a', 'a/./b', 'a//b', 'a/', '../a', 'a/..'])(
    'rejects the path %j, which the service would interpret differently, before sending anything',
    async (path) => {
      const send = jest.fn(fetch);
      const watched = new StorageClient({ url: service.url, key: 'key', secret: 'sécret', fetch: send });
      expect(
        await failureOf(
          watched.addAll([
            { path: 'good', content: '1' },
            { path, content: '2' },
          ]),
        ),
      ).toMatchObject({
        kind: 'refused',
        status: undefined,
        message: `path "${path.replace(/^\/+/u, '')}": duplicate, or a name is empty, . or ..`,
      });
      expect(send).not.toHaveBeenCalled();
    },
  );

  test.each([
    ['in a directory', ['d/a', 'd/b', 'd/a'], {}, 'd/a'],
    ['below the directory over everything', ['a', 'a'], { wrap: true }, 'a'],
  ])('rejects two files with the same path %s, before sending anything', async (_, paths, options, path) => {
    const send = jest.fn(fetch);
    const watched = new StorageClient({ url: service.url, key: 'key', secret: 'sécret', fetch: send });
    const files = paths.map((each, i) => ({ path: each, content: String(i) }));
    expect(await failureOf(watched.addAll(files, options))).toMatchObject({
      kind: 'refused',
      status: undefined,
      message: expect.stringContaining(`path "${path}"`) as string,
    });
    expect(send).not.toHaveBeenCalled();
  });

  test.each(['..a', '.a', 'a..', '...', '/a', 'a/b', '\ufeffa'])('stores under the path %j', async (path) => {
    const added = await client.addAll([{ path, content: path }]);
    expect(added[0]!.path).toBe(path.replace(/^\//u, ''));
  });

  test.each([0, -1, NaN, 1.5])('rejects chunks of %d bytes', async (chunkSize) => {
    expect((await failureOf(client.add('some content', { chunkSize }))).kind).toBe('refused');
  });

  test.each([{ offset: -1 }, { offset: 1.5 }, { offset: NaN }, { length: -1 }, { length: 1.5 }, { length: NaN }])(
    'rejects the range %j, and returns no other bytes for it',
    async (range) => {
      const { cid } = await client.add('some content');
      for (const verify of [true, false]) {
        expect(await failureOf(client.read(cid, { ...range, verify }))).toMatchObject({
          kind: 'refused',
          status: undefined,
        });
      }
    },
  );

  test.each([0, -1, NaN])('also reads with a concurrency of %d', async (concurrency) => {
    const { cid } = await client.add(noise(CHUNK + 1));
    const other = new StorageClient({ url: service.url, key: 'key', secret: 'sécret', concurrency });
    expect((await other.read(cid)).length).toBe(CHUNK + 1);
  });

  test('stops when its signal aborts, even if the next pieces have already arrived', async () => {
    const { cid } = await client.add(noise(3 * CHUNK));
    const stop = new AbortController();
    const reading = async () => {
      for await (const piece of client.cat(cid, { signal: stop.signal })) {
        expect(piece.length).toBe(CHUNK);
        stop.abort();
      }
    };
    expect((await failureOf(reading())).kind).toBe('aborted');
    expect((await failureOf(client.read('bafkqaalb', { signal: stop.signal }))).kind).toBe('aborted');
  });

  test('exports by any form of a CID, and nodes that are only a link', async () => {
    const dag = new DagClient(client);
    const { cid } = await client.add(noise(CHUNK + 1), { cidVersion: 1 });
    const inBase58 = CID.parse(cid).toString(base58btc);
    expect(await collect(dag.export(inBase58))).toHaveLength(3);
    expect(await dag.get(await dag.put({ '/': cid }))).toEqual({ '/': cid });
    const linked = Buffer.from(JSON.stringify({ '/': inBase58 }));
    const form = multipart([{ path: undefined, content: linked }]);
    const stored = await client.transport.post('block/put', [], { 'cid-codec': 'dag-json' }, {}, form);
    const { Key } = await client.transport.only<{ Key: string }>(stored, {});
    expect(await collect(dag.export(Key))).toHaveLength(4);
  });

  test('stores values with several encodings', async () => {
    const dag = new DagClient(client);
    const { cid } = await client.add('linked', { cidVersion: 1 });
    const bytes = (text: string) => ({ '/': { bytes: text } });
    const pairs: [DagValue, DagValue][] = [
      [bytes('AA=='), bytes('AA')],
      [{ a: [bytes('AAE=')] }, { a: [bytes('AAE')] }],
      [{ '/': CID.parse(cid).toString(base58btc) }, { '/': cid }],
      [{ 'a\ud800': 'b\udc00' }, { 'a\ufffd': 'b\ufffd' }],
      // These sort in another order than the strings they came from.
      [
        { 'a\ud800': 1, 'a\ue000': 2 },
        { 'a\ufffd': 1, 'a\ue000': 2 },
      ],
      ['\ufeffmarked', '\ufeffmarked'],
      // As in JSON.stringify, so that later items keep their positions.
      [
        [undefined as never, 1],
        [null, 1],
      ],
      [{ '/': { bytes: 'AA==', beside: 1 } }, { '/': { bytes: 'AA==', beside: 1 } }],
      [
        { '/': 'AA==', beside: 1 },
        { '/': 'AA==', beside: 1 },
      ],
    ];
    for (const [given, kept] of pairs) expect(await dag.get(await dag.put(given))).toEqual(kept);
  });

  test('explains why it failed', async () => {
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

test.each([undefined, {}, { url: undefined }, { url: null }, { url: 5001 }])(
  'the options %j are rejected: no URL',
  (options) => {
    let error: unknown;
    try {
      new StorageClient(options as never);
    } catch (reason) {
      error = reason;
    }
    expect(error).toBeInstanceOf(StorageError);
    expect(error).toMatchObject({ kind: 'refused', message: 'url is not a string' });
  },
);

test('CIDs are read and written like other implementations do', () => {
  const codecs = [0x55, 0x70, 0x71, 0x0129, 0xb201];
  for (let length = 0; length <= 128; length++) {
    for (const [hash, codec] of codecs.map((each) => [length % 2 === 0 ? 0 : 0xb220, each] as const)) {
      const digest = noise(length);
      const theirs = CID.createV1(codec, Digest.create(hash, digest));
      for (const text of [theirs.toString(), theirs.toString(base58btc)]) {
        expect(parseCid(text)).toMatchObject({ text, version: 1, codec, hash });
        expect(Buffer.from(parseCid(text).digest).equals(digest)).toBe(true);
      }
      expect(readCid(new Reader(theirs.bytes)).text).toBe(theirs.toString());
    }
  }
});

test('the client is at most 5 kB, and needs nothing that snaps lack', () => {
  const { outputFiles } = buildSync({
    entryPoints: ['src/clients/storage/index.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const code = outputFiles[0]!;
  // Rounded: the names that esbuild gives to variables change it by a few bytes.
  expect(Math.round(gzipSync(code.contents, { level: 9 }).length / 100)).toBeLessThanOrEqual(50);
  expect(code.text).not.toMatch(/\b(FormData|ReadableStream|XMLHttpRequest|Buffer|process|require|setTimeout)\b/);
});
