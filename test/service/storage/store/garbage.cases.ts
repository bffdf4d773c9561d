import { uncharged } from '../../../../src/service/admission/uncharged';
import * as dagCbor from '@ipld/dag-cbor';
import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { StorageClient } from '../../../../src/clients/storage';
import { runGc } from '../../../../src/service/storage/cli/gc';
import { CommandError } from '../../../../src/service/storage/errors';
import { digestOf } from '../../../support/storage/digest';
import { openStorage } from '../../../../src/service/storage/server';
import { makeFolder } from '../../../support/service/folder';
import { collect, contentOf, someBytes } from '../../../support/storage/content';
import { FORM, multipart } from '../../../support/storage/multipart';
import { lostOf, putDuringCollections } from '../../../support/storage/pinned-puts';
import { rawRequest } from '../../../support/storage/raw-http';
import { message, post } from '../../../support/storage/requests';
import { startTestService, temporaryDirectory, type TestService } from '../../../support/storage/service';
import { rawBlock } from './store.suite';

test('a block that is pinned during the pin lookup is not removed', async () => {
  const { service, close } = await openStorage({ dataDir: makeFolder() });
  const { store, pins, garbage } = service;
  const { cid, bytes } = rawBlock(someBytes(1000));
  await store.put(cid.multihash.bytes, bytes);
  await store.commit();
  const list = pins.list.bind(pins);
  jest.spyOn(pins, 'list').mockImplementationOnce(async function* (charge) {
    const before = await collect(list(charge));
    // Meanwhile another request pins it recursively, and succeeds.
    const session = store.begin();
    await session.keep(cid.multihash.bytes, uncharged());
    expect(await store.has(cid.multihash.bytes)).toBe(true);
    await pins.add('t', cid, 'recursive');
    session.end();
    yield* before;
  });
  await expect(garbage.remove(cid, uncharged())).rejects.toThrow(/in use by another request/);
  await expect(garbage.remove(cid, uncharged())).rejects.toThrow('pinned: recursive');
  await pins.remove('t', cid, true);
  expect(await garbage.remove(cid, uncharged())).toBe(true);
  expect(await garbage.remove(cid, uncharged())).toBe(false);
  await close();
});

describe('garbage collection', () => {
  test('a file stays complete even if its root is also pinned as a block without links', async () => {
    const service = await startTestService();
    const client = new StorageClient({ url: service.url });
    const content = contentOf(3);
    // The same block is pinned under another codec first, so only the second pin keeps the blocks below the file.
    const { cid } = await client.add(content, { pin: false });
    const raw = CID.createV1(0x55, CID.parse(cid).multihash);
    await client.pinAdd(raw.toString());
    await client.pinAdd(cid);
    await collect(client.stream('repo/gc'));
    expect(Buffer.compare(await client.read(cid), content)).toBe(0);
    await client.pinRm(cid);
    await collect(client.stream('repo/gc'));
    expect((await client.blockGet(raw.toString())).length).toBeGreaterThan(0);
    await expect(client.read(cid)).rejects.toMatchObject({ kind: 'refused' });
    await service.discard();
  });
});

test('what is acknowledged as pinned during collections stays, with everything below it', async () => {
  const service = await startTestService();
  const { acknowledged, collections } = await putDuringCollections([service]);
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(collections).toBeGreaterThan(1);
  expect(await lostOf(service, acknowledged)).toEqual([]);
  await service.discard();
}, 600_000);

describe('a put with pin=true', () => {
  let service: TestService;
  const isOperator = (tenant: string) => tenant === 'operator';
  beforeAll(async () => {
    service = await startTestService({
      authenticate: (key) => Promise.resolve({ id: key }),
      operators: isOperator,
    });
  });
  afterAll(() => service.discard());

  const as = (tenant: string, path: string, content?: Uint8Array | string) => {
    const authorization = `Basic ${Buffer.from(`${tenant}:secret`).toString('base64')}`;
    return content === undefined
      ? post(service, path, { authorization })
      : post(service, path, { authorization, ...FORM }, multipart({ content }));
  };
  const absent = CID.createV1(0x55, digestOf(0x12, Buffer.from('absent')));
  const node = dagPb.encode({ Links: [{ Hash: absent, Name: '', Tsize: 1 }] });

  test.each<[string, string | Uint8Array]>([
    ['dag/put?pin=true', JSON.stringify({ '/': absent.toString() })],
    ['object/put?inputenc=protobuf&pin=true', node],
    ['block/put?format=v0&pin=true', node],
  ])('%s of a node whose child is not stored is refused, and collections go on', async (path, content) => {
    const refused = await as('tenant', path, content);
    expect([refused.status, message(refused)]).toEqual([
      500,
      `pin: block was not found locally (offline): ipld: could not find ${absent.toString()}`,
    ]);
    expect((await as('tenant', 'pin/ls')).body.toString()).toBe('{}\n');
    expect((await as('operator', 'repo/gc')).status).toBe(200);
  });

  test('of bytes that are no node of their codec holds these bytes, and collections go on', async () => {
    const broken = Buffer.from([0xff, 0xff]);
    expect((await as('tenant', 'block/put?cid-codec=dag-cbor&pin=true', broken)).status).toBe(200);
    const cid = CID.createV1(dagCbor.code, digestOf(0x12, broken)).toString();
    expect((await as('operator', 'repo/gc')).status).toBe(200);
    expect((await as('tenant', `block/stat?arg=${cid}`)).status).toBe(200);

    // Nobody else removes it but an operator, who can also see it.
    for (const path of ['pin/ls?tenant=tenant', `pin/rm?tenant=tenant&arg=${cid}`])
      expect([
        (await as('other', path)).status,
        (await as('tenant', path.replace('=tenant', '=other'))).status,
      ]).toEqual([403, 403]);
    expect((await as('operator', 'pin/ls?tenant=tenant')).body.toString()).toBe(
      `{"Keys":{"${cid}":{"Type":"direct","Name":""}}}\n`,
    );
    expect((await as('operator', `pin/rm?tenant=tenant&arg=${cid}`)).status).toBe(200);
    expect((await as('operator', 'repo/gc')).body.toString()).toContain('"Key"');
    expect((await as('tenant', `block/stat?arg=${cid}`)).status).toBe(500);
  });

  test('what all keys store is for operators', async () => {
    expect([(await as('tenant', 'repo/stat')).status, (await as('operator', 'repo/stat')).status]).toEqual([403, 200]);
  });
});

describe('a pinned DAG with an unreadable block', () => {
  /** A pin whose root leads through an undecodable or missing block to a block that nothing else needs. */
  async function withHole(middle: 'undecodable' | 'missing') {
    const dataDir = await temporaryDirectory();
    const { service, close } = await openStorage({ dataDir });
    const put = async (bytes: Uint8Array, store = true) => {
      const cid = CID.createV1(dagCbor.code, digestOf(0x12, bytes));
      if (store) await service.store.put(cid.multihash.bytes, bytes);
      return cid;
    };
    const below = await put(dagCbor.encode('below'));
    // A link followed by an extra byte.
    const hole = await put(Buffer.concat([dagCbor.encode([below]), Buffer.from([0xff])]), middle === 'undecodable');
    const root = await put(dagCbor.encode([hole]));
    await service.store.commit();
    await service.pins.add('t', root, 'recursive');
    await close();
    return { dataDir, root, hole, below };
  }

  test.each(['undecodable', 'missing'] as const)(
    '%s: nothing is removed, and the caller learns why',
    async (middle) => {
      const { dataDir, root, hole, below } = await withHole(middle);
      const service = await startTestService({ dataDir });
      const message = `nothing is removed: ${hole.toString()}, below the pin ${root.toString()}, is missing or unreadable`;
      // The second time as well, when the damaged block counts as missing.
      for (let time = 0; time < 2; time++) {
        const answer = await fetch(`${service.url}/api/v0/repo/gc`, { method: 'POST' });
        expect([answer.status, await answer.json()]).toEqual([500, { Message: message, Code: 0, Type: 'error' }]);
      }
      const streamed = await rawRequest(service.port, { path: '/api/v0/repo/gc?stream-errors=true' });
      expect([streamed.status, streamed.trailers['X-Stream-Error']]).toEqual([200, 'encountered errors during gc run']);
      expect(streamed.body.toString()).toBe(`{"Key":null,"Error":"${message}"}\n`);
      expect((await new StorageClient({ url: service.url }).blockGet(below.toString())).length).toBeGreaterThan(0);
      await service.stop();

      const output: string[] = [];
      const context = {
        dataDir,
        json: false,
        output: (line: string) => void output.push(line),
        progress: () => undefined,
      };
      await expect(runGc(context)).rejects.toThrow(message);
      // Of this kind, the command prints the message alone, without a stack.
      await expect(runGc(context)).rejects.toBeInstanceOf(CommandError);
      expect(output).toEqual([]);
      const left = middle === 'missing' ? 1 : 2;
      expect(await runGc({ ...context, force: true })).toBe(0);
      expect(output).toEqual([
        `missing or unreadable block below the pin ${root.toString()}: ${hole.toString()}`,
        expect.stringMatching(new RegExp(`^1 blocks removed, .* ${left} blocks left$`)),
      ]);
      await service.discard();
    },
  );

  test('a missing leaf leads to nothing: the rest is collected', async () => {
    const { service, close } = await openStorage({ dataDir: makeFolder() });
    const leaf = rawBlock(someBytes(100)).cid;
    const bytes = dagCbor.encode([leaf]);
    const root = CID.createV1(dagCbor.code, digestOf(0x12, bytes));
    const unpinned = rawBlock(someBytes(200));
    await service.store.put(root.multihash.bytes, bytes);
    await service.store.put(unpinned.cid.multihash.bytes, unpinned.bytes);
    await service.store.commit();
    await service.pins.add('t', root, 'recursive');
    const removed = [];
    for await (const key of service.garbage.collect({ charge: uncharged() }))
      removed.push(Buffer.from(key).toString('hex'));
    expect(removed).toEqual([Buffer.from(unpinned.cid.multihash.bytes).toString('hex')]);
    await close();
  });
});
