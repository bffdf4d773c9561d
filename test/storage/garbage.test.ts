import * as dagCbor from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import { StorageClient } from '../../src/clients/storage';
import { runGc } from '../../src/service/storage/cli/gc';
import { digestOf } from '../../src/service/storage/hashes';
import { openStorage } from '../../src/service/storage/server';
import { makeFolder } from '../service/support/folder';
import { collect, contentOf, someBytes } from './kit/content';
import { rawRequest } from './kit/raw-http';
import { startTestService, temporaryDirectory } from './kit/service';
import { rawBlock } from './store.suite';

test('a block that is pinned during the pin lookup is not removed', async () => {
  const { service, close } = await openStorage({ dataDir: makeFolder() });
  const { store, pins, garbage } = service;
  const { cid, bytes } = rawBlock(someBytes(1000));
  await store.put(cid, [bytes]);
  await store.commit();
  const all = pins.all.bind(pins);
  jest.spyOn(pins, 'all').mockImplementationOnce(async () => {
    const before = await all();
    // Meanwhile another request pins it recursively, and succeeds.
    const session = store.begin();
    await session.touch(cid.multihash.bytes);
    expect(await store.has(cid.multihash.bytes)).toBe(true);
    await pins.add('t', cid, 'recursive');
    await session.end();
    return before;
  });
  await expect(garbage.remove(cid)).rejects.toThrow(/in use by another request/);
  await expect(garbage.remove(cid)).rejects.toThrow('pinned: recursive');
  await pins.remove('t', cid, true);
  expect(await garbage.remove(cid)).toBe(true);
  expect(await garbage.remove(cid)).toBe(false);
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

describe('a pinned DAG with an unreadable block', () => {
  /** A pin whose root leads through an undecodable or missing block to a block that nothing else needs. */
  async function withHole(middle: 'undecodable' | 'missing') {
    const dataDir = await temporaryDirectory();
    const { service, close } = await openStorage({ dataDir });
    const put = async (bytes: Uint8Array, store = true) => {
      const cid = CID.createV1(dagCbor.code, digestOf(0x12, bytes));
      if (store) await service.store.put(cid, [bytes]);
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
      const message =
        `could not retrieve links for ${hole.toString()}: missing or unreadable, below the pin ${root.toString()}; ` +
        'garbage collection aborted: could not retrieve some links';
      // The second time as well, when the damaged block counts as missing.
      for (let time = 0; time < 2; time++) {
        const answer = await fetch(`${service.url}/api/v0/repo/gc`, { method: 'POST' });
        expect([answer.status, await answer.json()]).toEqual([500, { Message: message, Code: 0, Type: 'error' }]);
      }
      const streamed = await rawRequest(service.port, { path: '/api/v0/repo/gc?stream-errors=true' });
      expect([streamed.status, streamed.trailers['X-Stream-Error']]).toEqual([200, 'encountered errors during gc run']);
      const reasons = message.split('; ');
      expect(streamed.body.toString()).toBe(reasons.map((reason) => `{"Key":null,"Error":"${reason}"}\n`).join(''));
      const shown = await rawRequest(service.port, { path: '/api/v0/repo/gc?stream-errors=true&encoding=text' });
      expect(shown.body.toString()).toBe(reasons.map((reason) => `Error: ${reason}\n`).join(''));
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
    await service.store.put(root, [bytes]);
    await service.store.put(unpinned.cid, [unpinned.bytes]);
    await service.store.commit();
    await service.pins.add('t', root, 'recursive');
    const removed = [];
    for await (const key of service.garbage.collect()) removed.push(Buffer.from(key).toString('hex'));
    expect(removed).toEqual([Buffer.from(unpinned.cid.multihash.bytes).toString('hex')]);
    await close();
  });
});
