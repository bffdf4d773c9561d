import type { Socket } from 'node:net';
import { CID } from 'multiformats/cid';
import { Turns } from '../../../../src/service/admission/turns';
import { openRaw } from '../../../support/service/raw';
import { someBytes } from '../../../support/storage/content';
import { digestOf } from '../../../support/storage/digest';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';
import { SETTINGS } from '../gateway/kit';

const MIB = 1 << 20;
const basic = (key: string) => `Basic ${Buffer.from(`${key}:secret`).toString('base64')}`;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Sends a command with a key. */
const asked = (service: TestService, path: string, content?: Uint8Array, key = 'a') =>
  rawRequest(service.port, {
    path: `/api/v0/${path}`,
    headers: { authorization: basic(key), ...(content && FORM) },
    ...(content && { body: multipart({ content }) }),
  });
const start = (limits: Record<string, number> = {}) =>
  startTestService({ authenticate: (key) => Promise.resolve({ id: key }), gateway: SETTINGS, limits });

test('blocks that a reader of the gateway does not read count as memory of its address', async () => {
  const service = await start({ keyMemoryBytes: 9 * MIB });
  const put = await asked(service, 'block/put?allow-big-block=true', someBytes(4 * MIB));
  const { Key } = JSON.parse(put.body.toString()) as { Key: string };
  const path = `/ipfs/${Key}?format=raw`;
  const readers: Socket[] = [];
  const readNothing = async () => {
    const { socket, write } = await openRaw(service.gateway?.url ?? '');
    readers.push(socket.pause());
    write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  };
  const ask = async () => {
    const answer = await fetch(`${service.gateway?.url}${path}`);
    // An answer that is not read would keep its connection.
    const { byteLength: bytes } = await answer.arrayBuffer();
    return { answered: [answer.status, answer.headers.get('retry-after')], bytes };
  };
  // Two fit. One that comes while a block is being read is refused, and does not come again.
  let { answered, bytes } = await ask();
  while (answered[0] === 200) {
    await readNothing();
    ({ answered } = await ask());
  }
  expect(answered).toEqual([429, '1']);
  for (const socket of readers) socket.destroy();
  while (answered[0] !== 200) ({ answered, bytes } = await ask());
  expect(bytes).toBe(4 * MIB);
  await service.discard();
});

describe('a hash that takes long is computed in turns', () => {
  let service: TestService;
  let turns: jest.SpyInstance;
  beforeAll(async () => {
    service = await start();
  });
  beforeEach(() => {
    turns = jest.spyOn(Turns.prototype, 'next');
  });
  afterAll(() => service.discard());

  test('of a file that is added in one chunk', async () => {
    const answer = await asked(service, 'add?cid-version=1&hash=keccak-512&chunker=size-1048576', someBytes(MIB));
    expect(answer.status).toBe(200);
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(15);
  });

  test('of a block that the gateway is asked for with HEAD', async () => {
    const put = await asked(service, 'block/put?mhtype=blake3&cid-codec=raw', someBytes(MIB));
    const { Key } = JSON.parse(put.body.toString()) as { Key: string };
    turns.mockClear();
    const answer = await fetch(`${service.gateway?.url}/ipfs/${Key}?format=raw`, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(MIB)]);
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(15);
  });
});

test('a pinned block whose text cannot be written again stops no collection, and keeps what it links to', async () => {
  const service = await start();
  const leaf = someBytes(100);
  const linked = CID.createV1(0x55, digestOf(0x12, leaf));
  await asked(service, 'block/put?cid-codec=raw', leaf);
  // ["\xff", link]
  const odd = Buffer.concat([Buffer.from('8261ffd82a582500', 'hex'), linked.bytes]);
  const put = await asked(service, 'block/put?cid-codec=dag-cbor&pin=true', odd);
  const { Key } = JSON.parse(put.body.toString()) as { Key: string };
  await asked(service, 'block/put?cid-codec=raw', someBytes(200));
  const collected = await asked(service, 'repo/gc', undefined, 'b');
  expect([collected.status, collected.trailers['X-Stream-Error']]).toEqual([200, undefined]);
  expect((await asked(service, `block/get?arg=${linked.toString()}`)).body.equals(Buffer.from(leaf))).toBe(true);
  expect((await asked(service, `pin/ls?arg=${Key}`)).body.toString()).toContain('recursive');
  // Its bytes are answered as they are, and never as others.
  expect((await asked(service, `block/get?arg=${Key}`)).body.equals(odd)).toBe(true);
  expect((await asked(service, `dag/get?arg=${Key}&output-codec=dag-cbor`)).status).toBe(500);
  await service.discard();
});
