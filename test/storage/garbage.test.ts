import { CID } from 'multiformats/cid';
import { StorageClient } from '../../src/clients/storage';
import { openStorage } from '../../src/service/storage/server';
import { makeFolder } from '../service/support/folder';
import { collect, contentOf, someBytes } from './kit/content';
import { startTestService } from './kit/service';
import { rawBlock } from './store.suite';

test('a block is not removed that is pinned while it is looked for in the pins', async () => {
  const { service, close } = await openStorage({ dataDir: makeFolder() });
  const { store, pins, garbage } = service;
  const { cid, bytes } = rawBlock(someBytes(1000));
  await store.put(cid, [bytes]);
  await store.commit();
  const all = pins.all.bind(pins);
  jest.spyOn(pins, 'all').mockImplementationOnce(async () => {
    const before = await all();
    // Another request pins it, all of it, and is answered.
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
  test('a file stays whole though its root is also pinned as a block without links', async () => {
    const service = await startTestService();
    const client = new StorageClient({ url: service.url });
    const content = contentOf(3);
    // The same block under another codec, pinned first: what is below the file hangs on the second pin alone.
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

  describe('where a block below a pin is gone', () => {
    /** A pinned file of several leaves and a block that nothing needs, in a store that has lost one of the file's blocks. */
    async function lose(which: 'root' | 'leaf') {
      const running = await startTestService();
      const client = new StorageClient({ url: running.url });
      const { cid: file } = await client.add(contentOf(3), { rawLeaves: true });
      const { cid: unneeded } = await client.add(someBytes(10), { pin: false });
      const refs = await fetch(`${running.url}/api/v0/refs?arg=${file}`, { method: 'POST' });
      const [leaf = '', other = ''] = [...(await refs.text()).matchAll(/"Ref":"(\w+)"/g)].map(([, ref]) => ref ?? '');
      const lost = which === 'root' ? file : other;
      await running.stop();
      const { service, close } = await openStorage({ dataDir: running.dataDir });
      await service.store.delete(CID.parse(lost).multihash.bytes);
      const has = (cid: string) => service.store.has(CID.parse(cid).multihash.bytes);
      return { running, service, close, has, file, leaf, unneeded };
    }

    test('nothing is removed while it cannot be told what hangs on it, and all is well once it is back', async () => {
      const { running, service, close, has, file, leaf, unneeded } = await lose('root');
      const why = `could not retrieve links for ${file}: block was not found locally (offline): ipld: could not find ${file}`;
      await expect(collect(service.garbage.collect())).rejects.toThrow(
        `${why}; garbage collection aborted: could not retrieve some links`,
      );
      await expect(service.garbage.remove(CID.parse(leaf))).rejects.toThrow(
        `${why}; cannot tell whether a pin needs the block`,
      );
      expect([await has(leaf), await has(unneeded)]).toEqual([true, true]);
      await close();

      const again = await startTestService({ dataDir: running.dataDir });
      const refused = await fetch(`${again.url}/api/v0/repo/gc`, { method: 'POST' });
      expect([refused.status, await refused.json()]).toMatchObject([500, { Message: expect.stringContaining(why) }]);
      const client = new StorageClient({ url: again.url });
      await client.add(contentOf(3), { rawLeaves: true, pin: false });
      const removed = await collect(client.stream('repo/gc'));
      expect(removed).toEqual([{ Key: { '/': CID.createV1(0x55, CID.parse(unneeded).multihash).toString() } }]);
      expect(Buffer.compare(await client.read(file), contentOf(3))).toBe(0);
      await again.discard();
    });

    test('a block without links is no reason to keep anything', async () => {
      const { running, service, close, has, leaf, unneeded } = await lose('leaf');
      await collect(service.garbage.collect());
      expect([await has(leaf), await has(unneeded)]).toEqual([true, false]);
      await close();
      await running.discard();
    });
  });
});
