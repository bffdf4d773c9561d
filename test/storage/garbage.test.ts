import { CID } from 'multiformats/cid';
import { StorageClient } from '../../src/clients/storage';
import { collect, contentOf } from './kit/content';
import { startTestService } from './kit/service';

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
