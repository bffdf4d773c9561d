import * as dagCbor from '@ipld/dag-cbor';
import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
import { carHeader } from '../../../../src/service/storage/content/car';
import { Share } from '../../../../src/service/admission/share';
import { planWalk } from '../../../../src/service/storage/gateway/plan';
import { encodeFileNode } from '../../../../src/service/storage/content/unixfs/node';
import { encodeVarint } from '../../../../src/service/storage/content/varint';
import { digestOf } from '../../../support/storage/digest';
import { openRaw } from '../../../support/service/raw';
import { fillDisk } from '../../../support/storage/full-disk';
import { FORM, type FormPart, multipart } from '../../../support/storage/multipart';
import { head, message } from '../../../support/storage/requests';
import { type RawAnswer, rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';
import { SETTINGS } from '../gateway/kit';

afterEach(() => {
  jest.restoreAllMocks();
});

const basic = (key: string) => `Basic ${Buffer.from(`${key}:secret`).toString('base64')}`;

describe('a key has its share of time and memory', () => {
  let service: TestService;
  /** A DAG of many small blocks. */
  let root: string;
  const revoked = new Set<string>();
  beforeAll(async () => {
    service = await startTestService({
      authenticate: (key) => Promise.resolve(revoked.has(key) ? undefined : { id: key }),
      limits: { keyRequests: 2, keyWaiting: 3 },
    });
    let links: dagPb.PBLink[] = [];
    for (let i = 0; i < 200; i++) {
      const node = dagPb.encode({ Data: Buffer.from(`node ${i}`), Links: links });
      const { Key } = JSON.parse((await as('a', 'block/put?format=v0', node)).body.toString()) as { Key: string };
      links = [{ Hash: CID.parse(Key), Name: '', Tsize: 1 }];
      root = Key;
    }
  });
  afterAll(() => service.discard());

  const as = (key: string, path: string, content?: Uint8Array) =>
    rawRequest(service.port, {
      path: `/api/v0/${path}`,
      headers: { authorization: basic(key), ...(content && FORM) },
      ...(content && { body: multipart({ content }) }),
    });
  /** A walk that takes far longer than a request of another key. */
  const walk = (times: number) => `pin/add?recursive=true${`&arg=${root}`.repeat(times)}`;

  test('long walks of one key do not keep others waiting, and end when their client leaves', async () => {
    const walks = await Promise.all([1, 2].map(() => openRaw(service.url)));
    for (const { write } of walks) write(head(walk(250), [`Authorization: ${basic('a')}`, 'Content-Length: 0']));
    for (let i = 0; i < 10; i++) expect((await as('b', 'version')).status).toBe(200);
    expect(walks.map(({ received }) => received())).toEqual(['', '']);
    for (const { socket } of walks) socket.resetAndDestroy();
    // Both places of the key are free again.
    expect((await as('a', 'version')).status).toBe(200);
  });

  /** Two uploads of a key that go on, and three requests that wait for them. */
  async function fill(key: string) {
    const running = await Promise.all([1, 2].map(() => openRaw(service.url)));
    for (const { write, until } of running) {
      write(
        head('add', [
          `Authorization: ${basic(key)}`,
          `Content-Type: ${FORM['Content-Type']}`,
          'Content-Length: 9',
          'Expect: 100-continue',
        ]),
      );
      await until(/100 Continue/u);
    }
    const waiting = await Promise.all([1, 2, 3].map(() => openRaw(service.url)));
    for (const { write } of waiting) write(head('version', [`Authorization: ${basic(key)}`, 'Content-Length: 0']));
    // The service has begun with all of them once it refuses one.
    let refused = await as(key, 'version');
    while (refused.status !== 429) refused = await as(key, 'version');
    return { running, waiting, refused };
  }

  test('further requests of a key wait, and too many are refused; those of others do not wait', async () => {
    const { running, waiting, refused } = await fill('a');
    expect(refused.body.toString()).toBe('limit exceeded: 2 requests of this key at once, and 3 waiting\n');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await as('b', 'version')).status).toBe(200);
    expect(waiting.map(({ received }) => received())).toEqual(['', '', '']);
    for (const { socket } of running) socket.destroy();
    for (const { until } of waiting) await until(/^HTTP\/1\.1 200 /u);
  });

  test('a request whose key is revoked while it waits is refused', async () => {
    const { running, waiting } = await fill('c');
    revoked.add('c');
    for (const { socket } of running) socket.destroy();
    for (const { until } of waiting) await until(/^HTTP\/1\.1 403 [^]*Access denied/u);
  });

  test('a value that indents to megabytes of tabs is refused', async () => {
    let value: unknown = Array.from({ length: 60_000 }, () => 0);
    for (let level = 0; level < 1000; level++) value = [value];
    const { Key } = JSON.parse(
      (await as('a', 'block/put?cid-codec=dag-cbor', dagCbor.encode(value))).body.toString(),
    ) as { Key: string };
    const answer = await as('a', `dag/get?output-codec=json&arg=${Key}`);
    expect([answer.status, message(answer)]).toEqual([
      400,
      expect.stringMatching(/the indented JSON is longer than 8388608 characters$/u),
    ]);
    expect((await as('a', `dag/get?arg=${Key}`)).status).toBe(200);
  });

  test('pins of a key, and the bytes of their names, are so many', async () => {
    const few = await startTestService({ authenticate: (key) => Promise.resolve({ id: key }), limits: { keyPins: 2 } });
    const ask = (path: string, content?: string, key = 'a') =>
      rawRequest(few.port, {
        path: `/api/v0/${path}`,
        headers: { authorization: basic(key), ...(content !== undefined && FORM) },
        ...(content !== undefined && { body: multipart({ content, filename: 'f' }) }),
      });
    const failureOf = ({ status, body, trailers }: RawAnswer) => [
      status,
      trailers['X-Stream-Error'] ?? (JSON.parse(body.toString()) as { Message: string }).Message,
    ];
    for (const content of ['1', '2']) expect((await ask(`add?pin-name=${'n'.repeat(255)}`, content)).status).toBe(200);
    const refused = 'pin: this key would have more than the allowed 2 pins (keyPins)';
    expect(failureOf(await ask('add', '3'))).toEqual([400, refused]);
    expect(failureOf(await ask('block/put?pin=true', '3'))).toEqual([400, refused]);
    // Another key has its own, and what is pinned already can be pinned again.
    expect((await ask('add', '3', 'b')).status).toBe(200);
    expect((await ask('add', '1')).status).toBe(200);
    const long = 'pin: the pin name is longer than the limit of 255 bytes (pinNameBytes)';
    expect(failureOf(await ask(`add?pin-name=${'n'.repeat(256)}`, '1'))).toEqual([400, long]);
    const { body } = await ask('pin/ls?names=true');
    const { Keys } = JSON.parse(body.toString()) as { Keys: Record<string, { Name: string }> };
    expect(Object.values(Keys).map(({ Name }) => Name.length)).toEqual([255, 255]);
    await few.discard();
  });

  describe('and of what has to be remembered', () => {
    let small: TestService;
    const LIMIT = 2 << 20;
    beforeAll(async () => {
      small = await startTestService({
        authenticate: (key) => Promise.resolve({ id: key }),
        limits: { keyMemoryBytes: LIMIT },
        gateway: SETTINGS,
      });
    });
    afterAll(() => small.discard());

    const REFUSED = new RegExp(
      `would hold more than the allowed ${LIMIT} bytes of memory at once \\(keyMemoryBytes\\)`,
      'u',
    );
    const ask = (path: string, ...parts: FormPart[]) =>
      rawRequest(small.port, {
        path: `/api/v0/${path}`,
        headers: { authorization: basic('a'), ...(parts.length > 0 && FORM) },
        ...(parts.length > 0 && { body: multipart(...parts) }),
      });
    const putNode = async (node: dagPb.PBNode): Promise<CID> => {
      const answer = await ask('block/put?cid-codec=dag-pb', { content: dagPb.encode(node) });
      return CID.parse((JSON.parse(answer.body.toString()) as { Key: string }).Key);
    };
    /** How a command failed, whether before its answer or within. */
    const failureOf = (answer: RawAnswer) => answer.trailers['X-Stream-Error'] ?? answer.body.toString();

    /** Nodes of a file: each has the level below first, and then many leaves of one byte. */
    async function tallFile(): Promise<CID> {
      const leaf = CID.createV1(0x55, digestOf(0, Buffer.from('x')));
      let cid: CID = leaf;
      let size = 1;
      for (let level = 0; level < 10; level++) {
        const children = [{ cid, size }, ...Array.from({ length: 500 }, () => ({ cid: leaf, size: 1 }))];
        size += 500;
        cid = await putNode({
          Data: encodeFileNode(
            size,
            children.map((child) => child.size),
          ),
          Links: children.map((child) => ({ Hash: child.cid, Name: '', Tsize: child.size })),
        });
      }
      return cid;
    }

    test('a deep file with many links on each level: no command keeps all of them', async () => {
      const cid = await tallFile();
      for (const command of ['cat', 'get', 'dag/export', 'pin/add'])
        expect([command, failureOf(await ask(`${command}?arg=${cid.toString()}`))]).toEqual([
          command,
          expect.stringMatching(REFUSED),
        ]);
      const car = await fetch(`${small.gateway?.url ?? ''}/ipfs/${cid.toString()}?format=car`)
        .then(
          (answer) => answer.arrayBuffer(),
          () => 'broken',
        )
        .catch(() => 'broken');
      expect(car).toBe('broken');
      // Everything was given back.
      expect((await ask('add', { content: 'x', filename: 'f' })).status).toBe(200);
    });

    test('shards of a directory, at the gateway also if blocks may come twice', () => {
      const Data = new UnixFS({ type: 'hamt-sharded-directory', fanout: 256n, hashType: 0x22n }).marshal();
      const Links = Array.from({ length: 256 }, (_, i) => ({
        Hash: CID.createV1(0x70, digestOf(0x12, Buffer.from(String(i)))),
        Name: i.toString(16).toUpperCase().padStart(2, '0'),
        Tsize: 1,
      }));
      const bytes = dagPb.encode({ Data, Links });
      const cid = CID.createV1(0x70, digestOf(0x12, bytes));
      const { read } = planWalk(cid, bytes, { name: 'entity', bytes: undefined }, new Share(10_000));
      expect(() => read({ cid }, bytes)).toThrow('more than the allowed 10000');
    });

    test('a leaf that is mostly padding is not kept for the sake of its content', async () => {
      // An unknown field of 1 MiB, which readers skip, in a file of one byte.
      const data = Buffer.concat([
        Buffer.from([0x08, 2, 0x12, 1, 0x78, 0x18, 1, 0x7a]),
        encodeVarint(1_000_000),
        Buffer.alloc(1_000_000),
      ]);
      const padded = await putNode({ Data: data, Links: [] });
      const root = await putNode({
        Data: encodeFileNode(
          20,
          Array.from({ length: 20 }, () => 1),
        ),
        Links: Array.from({ length: 20 }, () => ({ Hash: padded, Name: '', Tsize: 1 })),
      });
      expect((await ask(`cat?arg=${root.toString()}`)).body.toString()).toBe('x'.repeat(20));
    });

    test('uploads that are not stored yet', async () => {
      const content = Buffer.alloc(700_000);
      const sending = await Promise.all([1, 2, 3].map(() => openRaw(small.url)));
      const body = multipart({ content });
      const start = head('block/put?allow-big-block=true', [
        `Authorization: ${basic('a')}`,
        `Content-Type: ${FORM['Content-Type']}`,
        `Content-Length: ${body.length}`,
      ]);
      for (const { write } of sending) write(start + body.toString('latin1', 0, 600_000));
      await Promise.race(sending.map(({ until }) => until(/^HTTP\/1\.1 400 [^]*keyMemoryBytes/u)));
      for (const { socket } of sending) socket.destroy();
    });

    test('names in a directory that is not built yet', async () => {
      const parts = Array.from({ length: 5000 }, (_, i) => ({ content: 'x', filename: `d/${i}` }));
      expect(failureOf(await ask('add', ...parts))).toMatch(REFUSED);
    });

    test('roots of an archive', async () => {
      const roots = Array.from({ length: 5000 }, (_, i) => CID.createV1(0x55, digestOf(0x12, Buffer.from(String(i)))));
      expect(failureOf(await ask('dag/import', { content: carHeader(roots), filename: 'c' }))).toMatch(REFUSED);
    });
  });

  test('many who ask at once whether it can work share one look', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => service.problems()))).toEqual(
      Array.from({ length: 50 }, () => []),
    );
  });

  test('a disk on which nothing can be written is a problem, until it can', async () => {
    await fillDisk();
    expect(await service.problems()).toEqual([expect.stringMatching(/^the block store cannot be used: ENOSPC/u)]);
    jest.restoreAllMocks();
    expect(await service.problems()).toEqual([]);
  });
});
