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
});
