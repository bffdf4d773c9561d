import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as dagCbor from '@ipld/dag-cbor';
import { CID } from 'multiformats/cid';
import { StorageClient } from '../../src/clients/storage';
import { digestOf } from '../../src/service/storage/hashes';
import { collect, someBytes } from './kit/content';
import { lostOf, putDuringCollections } from './kit/pinned-puts';
import { noBucket, startBucket, type TestBucket } from './kit/s3';
import { startTestService } from './kit/service';

/** Starting services and processes may take long on a busy machine. */
jest.setTimeout(300_000);

const maybe = noBucket === undefined ? describe : describe.skip;

maybe(`garbage collection in a bucket, by several machines${noBucket === undefined ? '' : ` (${noBucket})`}`, () => {
  let bucket: TestBucket;
  beforeAll(async () => {
    bucket = await startBucket();
  });

  /** Damages a block in the bucket. */
  const damage = (prefix: string, bytes: Uint8Array) => {
    const folder = join(bucket.directory, prefix, 'segments');
    for (const name of readdirSync(folder).filter((each) => each.includes('.car') && each.endsWith('_object'))) {
      const stored = readFileSync(join(folder, name));
      const at = stored.indexOf(bytes);
      if (at < 0) continue;
      stored[at + 1]! ^= 1;
      writeFileSync(join(folder, name), stored);
    }
  };

  test('what is acknowledged as pinned during collections stays, with everything below it', async () => {
    const service = await startTestService({ shared: await bucket.open({ prefix: 'puts/' }) });
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
      const shared = await bucket.open({ prefix });
      const put = async (bytes: Uint8Array, isStored = true) => {
        const cid = CID.createV1(dagCbor.code, digestOf(0x12, bytes));
        if (isStored) await shared.store.put(cid, [bytes]);
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

      const one = await startTestService({ shared });
      const two = await startTestService({ shared: await bucket.open({ prefix }) });
      const [first, second] = [new StorageClient({ url: one.url }), new StorageClient({ url: two.url })];
      const message =
        `could not retrieve links for ${hole.toString()}: missing or unreadable, below the pin ${root.toString()}; ` +
        'garbage collection aborted: could not retrieve some links';
      const garbage = await first.add(someBytes(2000), { pin: false });
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
