import { gzipSync } from 'node:zlib';
import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
import { Registry } from 'prom-client';
import { encodeFileNode } from '../../../../src/service/storage/content/unixfs/node';
import { encodeVarint } from '../../../../src/service/storage/content/varint';
import { digestOf } from '../../../support/storage/digest';
import { openRaw, type RawConnection } from '../../../support/service/raw';
import { FORM, type FormPart, multipart } from '../../../support/storage/multipart';
import { FORM_LINE, head, message } from '../../../support/storage/requests';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';
import { SETTINGS } from '../gateway/kit';

const PLACES = 4;
const WAITING = 4;

const basic = (key: string) => `Basic ${Buffer.from(`${key}:secret`).toString('base64')}`;

describe('what takes time or memory for few bytes', () => {
  let service: TestService;
  let connections: () => Promise<number>;
  beforeAll(async () => {
    const metrics = new Registry();
    connections = async () =>
      [...(await metrics.metrics()).matchAll(/^keystead_connections\{[^}]*\} (\d+)$/gmu)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      );
    service = await startTestService({
      metrics,
      gateway: SETTINGS,
      authenticate: (key) => Promise.resolve({ id: key }),
      limits: { keyRequests: PLACES, keyWaiting: WAITING, dagDepth: 20 },
    });
  });
  afterAll(async () => {
    expect(await service.problems()).toEqual([]);
    await service.discard();
  });

  const as = (key: string, path: string, ...parts: FormPart[]) =>
    rawRequest(service.port, {
      path: `/api/v0/${path}`,
      headers: { authorization: basic(key), ...(parts.length > 0 && FORM) },
      ...(parts.length > 0 && { body: multipart(...parts) }),
    });
  const putNode = async (node: dagPb.PBNode): Promise<CID> => {
    const { body } = await as('a', 'block/put?cid-codec=dag-pb', { content: dagPb.encode(node) });
    return CID.parse((JSON.parse(body.toString()) as { Key: string }).Key);
  };

  /** Clients of one key, each with the same head sent. */
  const clientsOf = async (key: string, count: number, path: string, headers: readonly string[] = []) => {
    const clients = await Promise.all(Array.from({ length: count }, () => openRaw(service.url)));
    for (const { write } of clients) write(head(path, [`Authorization: ${basic(key)}`, ...headers]));
    return clients;
  };

  /** Another key works as usual. */
  const expectOthersServed = async () => {
    const { body } = await as('b', 'add?pin=false', { content: 'hello', filename: 'f' });
    const { Hash } = JSON.parse(body.toString()) as { Hash: string };
    expect((await as('b', `cat?arg=${Hash}`)).body.toString()).toBe('hello');
  };

  /** Closes the connections in the ordinary way, and waits until the service has closed its ends, too. */
  const leave = async (clients: readonly RawConnection[], before: number) => {
    for (const { socket } of clients) socket.destroy();
    while ((await connections()) > before) await new Promise(setImmediate);
  };

  describe('slow multipart bodies', () => {
    const PART = '--XbX\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
    const chunked = [FORM_LINE, 'Transfer-Encoding: chunked'];
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

    test.each<[string, string, (turn: number) => string]>([
      ['a part head, byte by byte', '', (turn) => PART.charAt(turn % 20)],
      ['content, byte by byte', PART, () => 'x'],
      ['what may be a delimiter, again and again', PART, (turn) => '\r\n--XbX-x'.charAt(turn % 9)],
      ['the padding of a delimiter', `${PART}x\r\n--XbX`, () => ' '],
      ['part heads as content', '', (turn) => PART.charAt(turn % PART.length)],
    ])('%s: they take the places of their key, and leave nothing', async (_name, begin, next) => {
      const before = await connections();
      const slow = await clientsOf('a', PLACES, 'add', chunked);
      for (const { write, dribble } of slow) {
        if (begin !== '') write(chunk(begin));
        dribble((turn) => chunk(next(turn)));
      }
      await expectOthersServed();
      await leave(slow, before);
      expect((await as('a', 'version')).status).toBe(200);
    });

    test('requests that wait behind them leave with their clients, although nothing is sent to these', async () => {
      const slow = await clientsOf('a', PLACES, 'add', [...chunked, 'Expect: 100-continue']);
      for (const { until } of slow) await until(/^HTTP\/1\.1 100 /u);
      const before = await connections();
      const waiting = await clientsOf('a', WAITING, 'version', ['Content-Length: 0']);
      // The service has begun with all of them once it refuses one.
      while ((await as('a', 'version')).status !== 429);
      expect(waiting.map(({ received }) => received())).toEqual(waiting.map(() => ''));
      await leave(waiting, before);
      for (const { socket } of slow) socket.destroy();
    });

    test('hundreds of parts, each with a head that is as long as it may be', async () => {
      const parts = Array.from({ length: 300 }, (_, i) => ({
        content: '',
        filename: `${i}`,
        headers: [`X: ${'x'.repeat(15_000)}`],
      }));
      expect((await as('a', 'add?pin=false&quieter=true', ...parts)).status).toBe(200);
    });
  });

  describe('sharded directories', () => {
    const link = (Hash: CID, Name: string) => ({ Hash, Name, Tsize: 1 });
    const leaf = CID.createV1(0x55, digestOf(0, Buffer.from('x')));
    /** The message of a shard, with any values. */
    const shard = (fanout: number, hashType = 0x22) =>
      Buffer.from([0x08, 5, 0x28, ...encodeVarint(hashType), 0x30, ...encodeVarint(fanout)]);
    const COMMANDS = ['ls?arg=', 'ls?stream=true&arg=', 'get?arg=', 'resolve?arg='] as const;

    test.each([
      ['a fanout of 0', shard(0)],
      ['a fanout of 1', shard(1)],
      ['a fanout that is no power of two', shard(255)],
      ['a fanout of 2^17', shard(2 ** 17)],
      ['a fanout of 2^52', shard(2 ** 52)],
      ['another hash function', shard(256, 0x12)],
    ])('%s: refused', async (_name, Data) => {
      const cid = await putNode({ Data, Links: [link(leaf, '00name')] });
      for (const command of COMMANDS) {
        const answer = await as('a', `${command}${cid.toString()}${command.startsWith('resolve') ? '/name' : ''}`);
        expect([command, message(answer)]).toEqual([
          command,
          'the sharded directory uses an unsupported hash function or fanout',
        ]);
      }
    });

    test('shards below each other, more than a hash has bits for, and more than the allowed levels', async () => {
      const Data = new UnixFS({ type: 'hamt-sharded-directory', fanout: 256n, hashType: 0x22n }).marshal();
      let cid = await putNode({ Data, Links: [link(leaf, '00name')] });
      for (let level = 0; level < 25; level++) cid = await putNode({ Data, Links: [link(cid, '00')] });
      expect(message(await as('a', `resolve?arg=${cid.toString()}/name`))).toMatch(/^no link named "name"/u);
      for (const command of ['ls?arg=', 'ls?stream=true&arg=', 'get?arg=', 'pin/add?arg='])
        expect([command, message(await as('a', command + cid.toString()))]).toEqual([
          command,
          expect.stringMatching(/deeper than the allowed 20 levels/u),
        ]);
      await expectOthersServed();
    });

    test('a shard with thousands of entries at one position: each name is found by looking once', async () => {
      const Data = new UnixFS({ type: 'hamt-sharded-directory', fanout: 256n, hashType: 0x22n }).marshal();
      const Links = Array.from({ length: 4000 }, (_, i) => link(leaf, `00${i}`));
      const cid = (await putNode(dagPb.prepare({ Data, Links }))).toString();
      const asked = await Promise.all(Array.from({ length: PLACES }, () => as('a', `resolve?arg=${cid}/none`)));
      for (const answer of asked) expect(message(answer)).toMatch(/^no link named "none"/u);
      await expectOthersServed();
    });
  });

  /** A file of the same block over and over: 8^16 bytes, which is 256 TiB. */
  async function endlessFile(): Promise<CID> {
    let cid: CID = CID.createV1(0x55, digestOf(0, Buffer.from('x')));
    let size = 1;
    for (let level = 0; level < 16; level++) {
      const sizes = Array.from({ length: 8 }, () => size);
      const Links = sizes.map((Tsize) => ({ Hash: cid, Name: '', Tsize }));
      size *= 8;
      cid = await putNode({ Data: encodeFileNode(size, sizes), Links });
    }
    return cid;
  }
  const SIZE = 8 ** 16;

  describe('ranges', () => {
    let cid: string;
    let gateway: number;
    beforeAll(async () => {
      cid = (await endlessFile()).toString();
      gateway = Number(new URL(service.gateway?.url ?? '').port);
    });
    const ask = (query: string, headers: Record<string, string> = {}) =>
      rawRequest(gateway, { method: 'GET', path: `/ipfs/${cid}?${query}`, headers });

    test.each([0, 1, SIZE / 2 - 1, SIZE - 5])(
      'five bytes at %d of a file of 2^48: only their blocks are read',
      async (at) => {
        const answer = await as('a', `cat?arg=${cid}&offset=${at}&length=5`);
        expect([answer.status, answer.body.toString()]).toEqual([200, 'xxxxx']);
        const car = await ask(`format=car&dag-scope=entity&entity-bytes=${at}:${at + 4}`);
        expect([car.status, car.body.length < 200_000]).toEqual([200, true]);
      },
    );

    test.each(['-999999999999999:999999999999999', '-1:*', '99999999999999:*', '5:-999999999999999'])(
      'entity-bytes=%s of it ends with its client',
      async (range) => {
        const before = await connections();
        const { socket, write, until } = await openRaw(`http://127.0.0.1:${gateway}`);
        write(`GET /ipfs/${cid}?format=car&car-dups=y&entity-bytes=${range} HTTP/1.1\r\nHost: x\r\n\r\n`);
        await until(/^HTTP\/1\.1 (?:200|400) /u);
        socket.destroy();
        await expectOthersServed();
        while ((await connections()) > before) await new Promise(setImmediate);
      },
    );

    test('hundreds of ranges of a header, which overlap: the block is sent once, as it is', async () => {
      const ranges = Array.from({ length: 1000 }, (_, i) => `0-${i}`).join(',');
      const plain = await ask('format=raw');
      const answer = await ask('format=raw', { Range: `bytes=${ranges}` });
      expect([answer.status, answer.body.equals(plain.body)]).toEqual([200, true]);
    });

    test('all of it, by one key at all of its places: others are served, and it ends with its clients', async () => {
      const before = await connections();
      const clients = await clientsOf('a', PLACES, `cat?arg=${cid}`, ['Content-Length: 0']);
      for (const { until } of clients) await until(/^HTTP\/1\.1 200 /u);
      await expectOthersServed();
      await leave(clients, before);
      expect((await as('a', 'version')).status).toBe(200);
    });
  });

  describe('compression', () => {
    test('compressed answers without an end, by one key at all of its places', async () => {
      const before = await connections();
      const cid = (await endlessFile()).toString();
      const clients = await clientsOf('a', PLACES, `get?compress=true&compression-level=9&arg=${cid}`, [
        'Content-Length: 0',
      ]);
      await expectOthersServed();
      await leave(clients, before);
      expect((await as('a', 'version')).status).toBe(200);
    });

    test('an upload that says it is compressed is not unpacked', async () => {
      const packed = gzipSync(multipart({ content: Buffer.alloc(8 << 20), filename: 'f' }));
      const answer = await rawRequest(service.port, {
        path: '/api/v0/add',
        headers: { authorization: basic('a'), ...FORM, 'Content-Encoding': 'gzip' },
        body: packed,
      });
      expect(answer.status).toBe(400);
    });
  });
});
