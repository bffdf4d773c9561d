import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as dagCbor from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import { StorageClient } from '../../../../src/clients/storage';
import { fileOf } from '../../../../src/service/storage/store/flatfs';
import { digestOf } from '../../../support/storage/digest';
import { collect, someBytes } from '../../../support/storage/content';
import { lostOf, putDuringCollections } from '../../../support/storage/pinned-puts';
import { type TestBucket } from '../../../support/storage/s3';
import { startTestService } from '../../../support/storage/service';

/** Tests collections in a bucket by several machines. */
export function describeBucketGarbage(bucketOf: () => TestBucket): void {
  describe('garbage collection in a bucket, by several machines', () => {
    /** Damages a block in the bucket. */
    const damage = (prefix: string, bytes: Uint8Array) => {
      const { folder, file } = fileOf(digestOf(0x12, bytes).bytes);
      const path = join(bucketOf().directory, prefix, 'blocks', folder, `${file}._S3rver_object`);
      const stored = readFileSync(path);
      stored[1]! ^= 1;
      writeFileSync(path, stored);
    };

    test('what is acknowledged as pinned during collections stays, with everything below it', async () => {
      const service = await startTestService({ shared: await bucketOf().open({ prefix: 'puts/' }) });
      const { acknowledged, collections } = await putDuringCollections([service]);
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(collections).toBeGreaterThan(1);
      expect(await lostOf(service, acknowledged)).toEqual([]);
      await service.discard();
    });

    test.each(['missing', 'undecodable', 'damaged'] as const)(
      'a pinned block that is %s stops a collection on every machine before anything is removed, and none of them has to wait',
      async (middle) => {
        const prefix = `${middle}/`;
        const shared = await bucketOf().open({ prefix });
        const put = async (bytes: Uint8Array, isStored = true) => {
          const cid = CID.createV1(dagCbor.code, digestOf(0x12, bytes));
          if (isStored) await shared.store.put(cid.multihash.bytes, bytes);
          return cid;
        };
        const below = await put(dagCbor.encode('below'));
        const link = dagCbor.encode([below]);
        const held = middle === 'undecodable' ? Buffer.concat([link, Buffer.from([0xff])]) : link;
        const hole = await put(held, middle !== 'missing');
        const root = await put(dagCbor.encode([hole]));
        await shared.store.commit();
        await shared.pins.add('anyone', root, 'recursive');
        if (middle === 'damaged') damage(prefix, held);
        const garbageBytes = someBytes(2000);

        const one = await startTestService({ shared });
        const two = await startTestService({ shared: await bucketOf().open({ prefix }) });
        const [first, second] = [new StorageClient({ url: one.url }), new StorageClient({ url: two.url })];
        const message = `nothing is removed: ${hole.toString()}, below the pin ${root.toString()}, is missing or unreadable`;
        const garbage = await first.add(garbageBytes, { pin: false });
        bucketOf().age(prefix);
        // One after the other: if a collection had not ended properly, the next would be refused as already running.
        for (const { url } of [one, two, one]) {
          const answer = await fetch(`${url}/api/v0/repo/gc`, { method: 'POST' });
          expect([answer.status, await answer.json()]).toEqual([500, { Message: message, Code: 0, Type: 'error' }]);
        }
        for (const { cid } of [garbage, { cid: below.toString() }])
          expect((await second.blockGet(cid)).length).toBeGreaterThan(0);

        // The other machine can add and pin without waiting.
        const content = someBytes(3000);
        const { cid: added } = await second.add(content, { pin: false });
        await second.pinAdd(added);
        // Without the pin no needed block is missing, so everything unneeded is removed.
        await shared.pins.remove('anyone', root, true);
        await collect(second.stream('repo/gc'));
        for (const cid of [garbage.cid, below.toString(), root.toString()])
          await expect(first.blockGet(cid)).rejects.toMatchObject({ kind: 'refused' });
        expect(Buffer.compare(await first.read(added), content)).toBe(0);
        await one.discard();
        await two.discard();
      },
    );
  });
}
