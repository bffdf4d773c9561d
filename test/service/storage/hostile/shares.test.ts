import * as dagCbor from '@ipld/dag-cbor';
import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { openRaw } from '../../../support/service/raw';
import { fillDisk } from '../../../support/storage/full-disk';
import { FORM, multipart } from '../../../support/storage/multipart';
import { head, message } from '../../../support/storage/requests';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';

afterEach(() => {
  jest.restoreAllMocks();
});

const basic = (key: string) => `Basic ${Buffer.from(`${key}:secret`).toString('base64')}`;

describe('a key has its share of time and memory', () => {
  let service: TestService;
  /** A DAG of many small blocks. */
  let root: string;
  beforeAll(async () => {
    service = await startTestService({
      authenticate: (key) => Promise.resolve(key),
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

  test('further requests of a key wait, and too many are refused; those of others do not wait', async () => {
    const running = await Promise.all([1, 2].map(() => openRaw(service.url)));
    for (const { write, until } of running) {
      write(
        head('add', [
          `Authorization: ${basic('a')}`,
          `Content-Type: ${FORM['Content-Type']}`,
          'Content-Length: 9',
          'Expect: 100-continue',
        ]),
      );
      await until(/100 Continue/u);
    }
    const waiting = await Promise.all([1, 2, 3].map(() => openRaw(service.url)));
    for (const { write } of waiting) write(head('version', [`Authorization: ${basic('a')}`, 'Content-Length: 0']));
    // The service has begun with all of them once it refuses one.
    let refused = await as('a', 'version');
    while (refused.status !== 429) refused = await as('a', 'version');
    expect(refused.body.toString()).toBe('limit exceeded: 2 requests of this key at once, and 3 waiting\n');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await as('b', 'version')).status).toBe(200);
    expect(waiting.map(({ received }) => received())).toEqual(['', '', '']);
    for (const { socket } of running) socket.destroy();
    for (const { until } of waiting) await until(/^HTTP\/1\.1 200 /u);
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

  test('a disk on which nothing can be written is a problem, until it can', async () => {
    await fillDisk();
    expect(await service.problems()).toEqual([expect.stringMatching(/^the block store cannot be used: ENOSPC/u)]);
    jest.restoreAllMocks();
    expect(await service.problems()).toEqual([]);
  });
});
