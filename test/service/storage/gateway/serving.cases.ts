import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as dagPb from '@ipld/dag-pb';
import { UnixFS } from 'ipfs-unixfs';
import { CID } from 'multiformats/cid';
import { pino } from 'pino';
import { JoinedRegistry } from '../../../../src/service/runtime/joined-registry';
import { StorageClient } from '../../../../src/clients/storage';
import { parseConfig } from '../../../../src/service/cli/config';
import { openKeys } from '../../../../src/service/keys/open';
import { countConnections } from '../../../../src/service/admission/listener';
import { type BlockStore } from '../../../../src/service/storage/store/block-store';
import { fileOf } from '../../../../src/service/storage/store/flatfs';
import { type GatewaySettings } from '../../../../src/service/storage/gateway/config';
import { startGateway } from '../../../../src/service/storage/gateway/server';
import { digestOf } from '../../../support/storage/digest';
import { DEFAULT_LIMITS } from '../../../../src/service/storage/content/limits';
import { storagePart } from '../../../../src/service/storage/part';
import { startStorage } from '../../../../src/service/storage/server';
import { makeCertificate, noOpenssl } from '../../../support/service/certificate';
import { openRaw } from '../../../support/service/raw';
import { someBytes } from '../../../support/storage/content';
import { rawRequest } from '../../../support/storage/raw-http';
import { temporaryDirectory } from '../../../support/storage/service';
import { ask, readCarFile, SETTINGS, startTestGateway } from './kit';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A gateway before a store of the test's own. */
const before = (
  store: Pick<BlockStore, 'has' | 'get'>,
  settings: Partial<GatewaySettings> = {},
  tls?: ReturnType<typeof makeCertificate>,
) => startGateway({ store: store as BlockStore, limits: DEFAULT_LIMITS }, { ...SETTINGS, ...settings }, tls, SILENT);

const CONTENT = Buffer.from('content');
const CONTENT_PATH = `/ipfs/${CID.createV1(0x55, digestOf(0x12, CONTENT)).toString()}?format=raw`;

/** A store that has one block, and is asked for it until `open` is called. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const waiting: (() => void)[] = [];
  let asked = 0;
  return {
    open,
    store: {
      has: async () => {
        asked++;
        for (const resolve of waiting.splice(0)) resolve();
        await opened;
        return true;
      },
      get: () => Promise.resolve(CONTENT),
    },
    /** Resolves once so many requests wait. */
    asked: async (count: number) => {
      while (asked < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

test('requests over the limit are told to come again, and the others are answered', async () => {
  const { store, open, asked } = gate();
  const gateway = await before(store, { requests: 2 });
  const get = () => rawRequest(gateway.port, { method: 'GET', path: CONTENT_PATH });
  const first = [get(), get()];
  await asked(2);
  const refused = await get();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  open();
  for (const answer of [...(await Promise.all(first)), await get()]) expect(answer.status).toBe(200);
  await gateway.stop();
});

test('one address has only its share, and the others are answered', async () => {
  const { store, open, asked } = gate();
  const gateway = await before(store, { requests: 4, requestsPerAddress: 2 });
  const get = (from: string) => rawRequest(gateway.port, { method: 'GET', path: CONTENT_PATH, from });
  const first = [get('127.0.0.2'), get('127.0.0.2')];
  await asked(2);
  const refused = await get('127.0.0.2');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  const second = [get('127.0.0.3'), get('127.0.0.4')];
  await asked(4);
  expect((await get('127.0.0.5')).status).toBe(503);
  open();
  for (const answer of [...(await Promise.all([...first, ...second])), await get('127.0.0.2')])
    expect(answer.status).toBe(200);
  await gateway.stop();
});

test('a stop waits for the requests in progress', async () => {
  const { store, open, asked } = gate();
  const gateway = await before(store);
  const answer = rawRequest(gateway.port, { method: 'GET', path: CONTENT_PATH });
  await asked(1);
  const stopped = gateway.stop();
  open();
  expect((await answer).body.toString()).toBe('content');
  await stopped;
  await expect(rawRequest(gateway.port, { method: 'GET', path: CONTENT_PATH })).rejects.toThrow('ECONNREFUSED');
});

test('a client that does not read is not read for', async () => {
  const COUNT = 100;
  const leaves = new Map<string, Buffer>();
  const links = Array.from({ length: COUNT }, (_, index) => {
    const bytes = Buffer.alloc(1 << 20, createHash('sha256').update(`${index}`).digest());
    const cid = CID.createV1(0x55, digestOf(0x12, bytes));
    leaves.set(Buffer.from(cid.multihash.bytes).toString('hex'), bytes);
    return { Hash: cid, Name: '' };
  });
  const Data = new UnixFS({ type: 'file', blockSizes: links.map(() => BigInt(1 << 20)) }).marshal();
  const root = dagPb.encode(dagPb.prepare({ Data, Links: links }));
  let reads = 0;
  const gateway = await before({
    has: () => Promise.resolve(true),
    get: (key) => {
      reads++;
      return Promise.resolve(leaves.get(Buffer.from(key).toString('hex')) ?? root);
    },
  });
  const cid = CID.createV1(dagPb.code, digestOf(0x12, root)).toString();
  const connection = await openRaw(gateway.url);
  connection.socket.pause();
  connection.write(`GET /ipfs/${cid}?format=car HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  // Until the gateway has stopped reading.
  for (let same = 0, last = 0; same < 100; same = reads === last && reads > 1 ? same + 1 : 0) {
    last = reads;
    await setImmediate();
  }
  expect(reads).toBeLessThan(COUNT / 2);
  connection.socket.resume();
  const received = await connection.closed;
  expect(received.endsWith('\r\n0\r\n\r\n')).toBe(true);
  expect(received.length).toBeGreaterThan(COUNT << 20);
  await gateway.stop();
});

test('a block counts as a request in progress until its client has read it or is gone', async () => {
  // More than the system's own buffers hold.
  const large = Buffer.alloc(32 << 20);
  const gateway = await before(
    { has: () => Promise.resolve(true), get: () => Promise.resolve(large) },
    { requests: 1 },
  );
  const { socket, write, until } = await openRaw(gateway.url);
  write(`GET ${CONTENT_PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await until(/^HTTP\/1\.1 200 /);
  socket.pause();
  const other = () => rawRequest(gateway.port, { method: 'HEAD', path: CONTENT_PATH });
  expect((await other()).status).toBe(503);
  socket.destroy();
  let status = 503;
  while (status === 503) ({ status } = await other());
  expect(status).toBe(200);
  await gateway.stop();
});

test('a client that accepts nothing for too long gives way', async () => {
  const large = Buffer.alloc(32 << 20);
  const gateway = await before(
    { has: () => Promise.resolve(true), get: () => Promise.resolve(large) },
    { requests: 1, stallSeconds: 0.2 },
  );
  const { socket, write, until } = await openRaw(gateway.url);
  write(`GET ${CONTENT_PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await until(/^HTTP\/1\.1 200 /);
  socket.pause();
  let status = 503;
  while (status === 503) ({ status } = await rawRequest(gateway.port, { method: 'HEAD', path: CONTENT_PATH }));
  expect(status).toBe(200);
  socket.destroy();
  await gateway.stop();
});

test('a client that goes away ends its request', async () => {
  const { store, open, asked } = gate();
  const gateway = await before(store);
  const connection = await openRaw(gateway.url);
  connection.write(`GET ${CONTENT_PATH} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await asked(1);
  connection.socket.destroy();
  await connection.closed;
  open();
  await gateway.stop();
});

describe.each([
  ['TCP', false],
  ['TLS', true],
])('what a client by %s got does not look complete', (_, isSecure) => {
  const maybe = isSecure && noOpenssl !== undefined ? test.skip : test;
  const tls = () => (isSecure ? makeCertificate() : undefined);

  maybe.each(['HTTP/1.0', 'HTTP/1.1'])('%s: a CAR file that fails midway', async (version) => {
    const Data = new UnixFS({ type: 'file', blockSizes: [BigInt(CONTENT.length)] }).marshal();
    const leaf = CID.createV1(0x55, digestOf(0x12, CONTENT));
    const root = dagPb.encode(dagPb.prepare({ Data, Links: [{ Hash: leaf, Name: '' }] }));
    const cid = CID.createV1(dagPb.code, digestOf(0x12, root));
    let fail: () => void = () => undefined;
    const failing = new Promise<void>((resolve) => (fail = resolve));
    const store = {
      has: () => Promise.resolve(true),
      get: async (key: Uint8Array) => {
        if (Buffer.from(cid.multihash.bytes).equals(key)) return root;
        await failing;
        throw new Error('the disk is gone');
      },
    };
    const gateway = await before(store, {}, tls());
    const { socket, write, until, closed } = await openRaw(gateway.url);
    const errors: unknown[] = [];
    socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code));
    write(`GET /ipfs/${cid.toString()}?format=car ${version}\r\nHost: x\r\n\r\n`);
    await until(/^HTTP\/1\.1 200 [^]*\r\n\r\n[^]+/u);
    fail();
    const text = await closed;
    // Chunks that end without the last one, or a reset.
    expect([/^Transfer-Encoding: chunked/imu.test(text), text.endsWith('0\r\n\r\n'), errors]).toEqual(
      version === 'HTTP/1.1' ? [true, false, []] : [false, false, ['ECONNRESET']],
    );
    await gateway.stop();
  });

  maybe('HTTP/1.0: a CAR file that the client does not read for too long', async () => {
    const large = Buffer.alloc(32 << 20);
    const store = { has: () => Promise.resolve(true), get: () => Promise.resolve(large) };
    const gateway = await before(store, { stallSeconds: 0.2 }, tls());
    const { socket, write, until } = await openRaw(gateway.url);
    write(`GET ${CONTENT_PATH.replace('raw', 'car')} HTTP/1.0\r\nHost: x\r\n\r\n`);
    await until(/^HTTP\/1\.1 200 /u);
    socket.pause();
    // Node's own client takes a reset that comes while it is paused for an end.
    let resets = 0;
    const { resetAndDestroy } = Socket.prototype;
    jest.spyOn(Socket.prototype, 'resetAndDestroy').mockImplementation(function (this: Socket) {
      if (!this.destroyed) resets++;
      return resetAndDestroy.call(this);
    });
    while (countConnections(gateway.server) > 0) await setImmediate();
    expect(resets).toBe(1);
    socket.destroy();
    await gateway.stop();
  });
});

test('a damaged block is the fault of the server, and is not sent', async () => {
  const service = await startTestGateway({}, { hashOnRead: true });
  const content = someBytes(5000);
  const { cid } = await new StorageClient({ url: service.url }).add(content, { cidVersion: 1 });
  const { folder, file } = fileOf(CID.parse(cid).multihash.bytes);
  await writeFile(join(service.dataDir, 'blocks', folder, file), content.fill(0, 2500, 2501));
  const { status, body } = await ask(service, `/ipfs/${cid}?format=car`);
  expect([status, body.toString()]).toEqual([500, expect.stringContaining('is damaged in the store')]);
  expect((await ask(service, `/ipfs/${cid}?format=raw`)).status).toBe(500);
  await service.discard();
});

test('a store that cannot be asked', async () => {
  const failing = () => Promise.reject(new Error('ECONNREFUSED redis.internal'));
  const gateway = await before({ has: failing, get: failing });
  const { status, body } = await rawRequest(gateway.port, { method: 'GET', path: CONTENT_PATH });
  expect([status, body.toString()]).toEqual([500, 'internal error\n']);
  await gateway.stop();
});

describe('the configuration', () => {
  test('has no gateway unless it is asked for', () => {
    expect(parseConfig({}).storage.gateway).toBeUndefined();
    expect(parseConfig({ storage: { gateway: {} } }).storage.gateway).toEqual({ ...SETTINGS, port: 8080 });
  });

  test.each([
    ['a port', { port: 70_000 }, /^storage\.gateway\.port: .*less than or equal to 65535/],
    ['no requests', { requests: 0 }, /^storage\.gateway\.requests: .*greater than or equal to 1/],
    ['no share', { requestsPerAddress: 0 }, /^storage\.gateway\.requestsPerAddress: .*greater than or equal to 1/],
    ['no blocks', { carBlocks: 0 }, /^storage\.gateway\.carBlocks: .*greater than or equal to 1/],
    ['a key', { key: 'x' }, /^storage\.gateway\.key: unknown setting/],
  ])('%s that cannot be', (_name, gateway, message) => {
    expect(() => parseConfig({ storage: { gateway } })).toThrow(message);
  });

  test('starts one next to the service, which needs no key, and tells where', async () => {
    const dataDir = await temporaryDirectory();
    const config = parseConfig({ storage: { port: 0, gateway: { port: 0 } } });
    const keys = await openKeys(config, dataDir, () => undefined);
    const { key, secret } = await keys.create();
    const log = pino({ level: 'silent' });
    const part = await storagePart.start({ config, dataDir, keys, log, metrics: new JoinedRegistry() });
    const [storage, gateway] = part.addresses;
    expect(gateway?.label).toBe('Gateway');
    const { cid } = await new StorageClient({ url: storage?.url ?? '', key, secret }).add(Buffer.from('hello'));
    const answer = await fetch(`${gateway?.url}/ipfs/${cid}?format=car`);
    const received = await readCarFile(new Uint8Array(await answer.arrayBuffer()));
    expect(received.cids).toEqual([cid]);
    await part.stop();
    await expect(fetch(gateway?.url ?? '')).rejects.toThrow('fetch failed');
    await keys.close();
    await rm(dataDir, { recursive: true });
  });

  test('names the setting when its port is taken, and leaves nothing open', async () => {
    const other = await startTestGateway();
    const dataDir = await temporaryDirectory();
    const start = (gateway: number) =>
      startStorage({ dataDir, authenticate: null, port: 0, gateway: { ...SETTINGS, port: gateway } });
    await expect(start(other.at.port)).rejects.toThrow('change storage.gateway.host or storage.gateway.port');
    await expect(startStorage({ dataDir, authenticate: null, port: other.port, gateway: SETTINGS })).rejects.toThrow(
      'change storage.host, storage.port',
    );
    await (await start(0)).stop();
    await other.discard();
    await rm(dataDir, { recursive: true });
  });
});
