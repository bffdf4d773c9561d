import { uncharged } from '../../../../src/service/admission/uncharged';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import * as dagCbor from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { StorageClient } from '../../../../src/clients/storage';
import { FileStore } from '../../../../src/service/storage/store/file-store';
import { SqlitePins } from '../../../../src/service/storage/store/sqlite-pins';
import { type StorageOptions } from '../../../../src/service/storage/server';
import { openRaw } from '../../../support/service/raw';
import { collect, someBytes } from '../../../support/storage/content';
import { multipart, FORM } from '../../../support/storage/multipart';
import { startTestService, temporaryDirectory, type TestService } from '../../../support/storage/service';
import { rawBlock } from '../store/store.suite';

const ROOT = CID.createV1(0x71, Digest.create(0x12, new Uint8Array(32)));
const OTHER = CID.createV1(0x71, Digest.create(0x12, new Uint8Array(32).fill(1)));
const head = (path: string, length = 0, type = '') =>
  `POST /api/v0/${path} HTTP/1.1\r\nHost: x\r\n${type}Content-Length: ${length}\r\n\r\n`;

/** Resolves when a request to the command is over, with its status. */
const ends = new Map<string, (status: number) => void>();
const endOf = (command: string): Promise<number> =>
  new Promise((resolve) => {
    ends.set(command, resolve);
  });
const logger: StorageOptions['logger'] = {
  info: (fields) => {
    const { command, status } = fields as { command: string; status: number };
    ends.get(command)?.(status);
  },
  warn: () => undefined,
  error: () => undefined,
};

/** A store in which a chain of blocks begins at ROOT and never ends; `first` resolves once somebody reads of it. */
async function endless() {
  const directory = await temporaryDirectory();
  await mkdir(directory, { recursive: true });
  const settings = { durable: false, hashOnRead: false };
  const store = await FileStore.open(join(directory, 'blocks'), settings);
  const pins = new SqlitePins(directory, false);
  let blocks = 0;
  let found: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    found = resolve;
  });
  jest.spyOn(store, 'has').mockResolvedValue(true);
  jest.spyOn(store, 'get').mockImplementation(() => {
    found();
    const digest = Buffer.alloc(32);
    digest.writeUInt32BE(++blocks);
    return Promise.resolve(dagCbor.encode({ next: CID.createV1(0x71, Digest.create(0x12, digest)) }));
  });
  return { store, pins, first };
}

/** Sends an answer that was received, one character a byte, to fetch. @returns The body that it reads. */
async function asFetched(answer: string): Promise<Buffer> {
  const echo = createServer((peer) => peer.once('data', () => peer.end(answer, 'latin1')));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const read = await fetch(`http://127.0.0.1:${(echo.address() as AddressInfo).port}`);
  const body = Buffer.from(await read.arrayBuffer());
  await new Promise((resolve) => echo.close(resolve));
  return body;
}

const limits = { dagDepth: 2 ** 40, dagBlocks: 2 ** 40, requestSeconds: 100_000 };

describe('a disconnected client', () => {
  let service: TestService;
  let first: Promise<void>;
  let pins: SqlitePins;
  beforeEach(async () => {
    const { store, pins: book, first: found } = await endless();
    first = found;
    pins = book;
    await pins.add('local', ROOT, 'recursive');
    service = await startTestService({ shared: { store, pins }, limits, logger });
  });
  afterEach(() => service.discard());

  test.each([
    ['dag/export', `dag/export?arg=${ROOT.toString()}`],
    ['pin/add', `pin/add?arg=${ROOT.toString()}`],
    ['pin/ls', 'pin/ls?type=indirect'],
    ['repo/gc', 'repo/gc?silent=true'],
    ['block/rm', `block/rm?arg=${CID.createV1(0x55, ROOT.multihash).toString().replace(/.$/u, 'q')}`],
  ])('is noticed, and %s ends', async (command, path) => {
    const ended = endOf(command);
    const { socket, write } = await openRaw(service.url);
    write(head(path));
    await first;
    socket.destroy();
    await ended;
  });

  test('is noticed even if the response has started and is silent for long', async () => {
    const ended = endOf('pin/ls');
    const { socket, write, until } = await openRaw(service.url);
    // The first is told at once; the other one is looked for below the first.
    write(head(`pin/ls?type=all&stream=true&arg=${ROOT.toString()}&arg=${OTHER.toString()}`));
    await until(/"Type":"recursive"/u);
    socket.end();
    await new Promise((resolve) => socket.once('finish', resolve));
    socket.destroy();
    await ended;
  });

  test('does not delay a stop', async () => {
    const { socket, write } = await openRaw(service.url);
    write(head(`pin/add?arg=${ROOT.toString()}`));
    await first;
    socket.destroy();
    await service.stop();
  });

  test('a request that timed out says so instead of returning a partial list', async () => {
    const { write, until, closed } = await openRaw(service.url);
    write(head('pin/ls?type=indirect&timeout=50ms').replace('Host', 'Connection: close\r\nHost'));
    await until(/^HTTP\/1\.1 500 /u);
    expect(await closed).toMatch(/context deadline exceeded/u);
  });
});

test('a client that has closed its side is probed, and gets its response, however long that takes', async () => {
  const { store, pins, first } = await endless();
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  const node = dagCbor.encode({});
  const get = jest.spyOn(store, 'get').getMockImplementation();
  jest.spyOn(store, 'get').mockImplementation(async (key) => {
    await get?.(key, uncharged());
    await given;
    return node;
  });
  const service = await startTestService({ shared: { store, pins }, limits });
  const { socket, until, closed } = await openRaw(service.url);
  socket.end(head(`pin/add?arg=${ROOT.toString()}`));
  await first;
  await until(/^HTTP\/1\.1 100 Continue\r\n\r\n/u);
  give();
  expect(await closed).toMatch(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+HTTP\/1\.1 200 [^]*"Pins":\[/u);
  await service.discard();
});

test('a client that has closed its side gets the rest of a started response, which fetch can read', async () => {
  const { store, pins } = await endless();
  await pins.add('local', ROOT, 'recursive');
  const get = jest.spyOn(store, 'get').getMockImplementation();
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  let reads = 0;
  jest.spyOn(store, 'get').mockImplementation(async (key) => {
    // Those of the two arguments come at once.
    if (++reads <= 2) return get?.(key, uncharged());
    await given;
    return dagCbor.encode({ link: OTHER });
  });
  const service = await startTestService({ shared: { store, pins }, limits });
  const { socket, until, closed } = await openRaw(service.url);
  socket.end(head(`pin/ls?type=all&stream=true&arg=${ROOT.toString()}&arg=${OTHER.toString()}`));
  await until(/"Type":"recursive"[^]*\n\r\n00+$/u);
  give();
  const answer = await closed;
  expect(answer).toMatch(
    /"Type":"recursive"[^]*\n\r\n00+[1-9a-f][0-9a-f]*\r\n\{[^]*"Type":"indirect through [^]*\r\n0\r\n\r\n$/u,
  );
  await service.discard();

  const read = await asFetched(answer);
  expect(read.toString().split('\n')).toEqual([
    expect.stringMatching(/^\{.*"recursive"/u) as string,
    expect.stringMatching(/^\{.*"indirect through /u) as string,
    '',
  ]);
});

test('a client that has closed its side gets a complete file, with zeros before the length of a late piece', async () => {
  const directory = await temporaryDirectory();
  const settings = { durable: false, hashOnRead: false };
  const store = await FileStore.open(join(directory, 'blocks'), settings);
  const pins = new SqlitePins(directory, false);
  const service = await startTestService({ shared: { store, pins }, limits });
  // Two pieces, of which the second one is late.
  const content = someBytes(2 << 18);
  const { cid } = await new StorageClient({ url: service.url }).add(content, { cidVersion: 1 });
  const last = rawBlock(content.subarray(1 << 18)).cid.multihash.bytes;
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  const get = store.get.bind(store);
  jest.spyOn(store, 'get').mockImplementation(async (key) => {
    if (Buffer.compare(key, last) === 0) await given;
    return get(key, uncharged());
  });
  const { socket, until, closed } = await openRaw(service.url);
  socket.end(head(`cat?arg=${cid}`));
  await until(/\r\n0+$/u);
  give();
  const answer = await closed;
  await service.discard();
  expect(answer.slice(0, 20)).toMatch(/^HTTP\/1\.1 200 OK\r\n/u);
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4 + '40000\r\n'.length + (1 << 18))).toMatch(/^\r\n0+40000\r\n/u);

  expect(Buffer.compare(await asFetched(answer), content)).toBe(0);
});

test('nothing is pinned for a client that disconnected before it could be told', async () => {
  const directory = await temporaryDirectory();
  const settings = { durable: false, hashOnRead: false };
  const store = await FileStore.open(join(directory, 'blocks'), settings);
  const pins = new SqlitePins(directory, false);
  const commit = store.commit.bind(store);
  let committed: () => void = () => undefined;
  const committing = new Promise<void>((resolve) => {
    committed = resolve;
  });
  let goOn: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  jest.spyOn(store, 'commit').mockImplementationOnce(async () => {
    committed();
    await gone;
    await commit();
  });
  const service = await startTestService({ shared: { store, pins }, logger });
  const ended = endOf('add');
  const { socket, write } = await openRaw(service.url);
  const body = multipart({ filename: 'f', content: 'never told' });
  write(head('add', body.length, `Content-Type: ${FORM['Content-Type']}\r\n`));
  socket.write(body);
  await committing;
  // Seen at once by the other side, unlike an end.
  socket.resetAndDestroy();
  await new Promise((resolve) => socket.once('close', resolve));
  const { write: ask, until } = await openRaw(service.url);
  ask(head('version'));
  await until(/Version/u);
  goOn();
  await ended;
  expect(await collect(pins.list(uncharged()))).toEqual([]);
  await service.discard();
});
