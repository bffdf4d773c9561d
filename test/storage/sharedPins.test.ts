import { Bucket } from '../../src/service/storage/s3/bucket';
import { BucketPins } from '../../src/service/storage/pins/bucket';
import { noBucket, startBucket } from './kit/s3';
import { rawBlock } from './store.suite';

/** Services are started: on a busy machine that takes its time. */
jest.setTimeout(300_000);

const maybe = noBucket === undefined ? describe : describe.skip;

maybe(`pins in a bucket, changed by two processes${noBucket === undefined ? '' : ` (${noBucket})`}`, () => {
  test('two new names at the same moment, one of them the old one: one of them stays', async () => {
    const { options } = await startBucket();
    let beforeDelete: (() => Promise<void>) | undefined;
    class SteppedBucket extends Bucket {
      override async delete(key: string): Promise<void> {
        const step = beforeDelete;
        beforeDelete = undefined;
        await step?.();
        await super.delete(key);
      }
    }
    const one = new BucketPins(new SteppedBucket(options));
    const two = new BucketPins(new Bucket(options));
    const { cid } = rawBlock(Buffer.from('pinned'));
    await one.add('t', cid, 'recursive', 'z');
    // The new name is there, the old one still is: the other process takes the old one for new.
    beforeDelete = () => two.add('t', cid, 'recursive', 'z');
    await one.add('t', cid, 'recursive', 'b');
    expect((await two.list('t')).map(({ mode, name }) => `${mode} ${name}`)).toEqual([
      expect.stringMatching(/^recursive [bz]$/),
    ]);
    await two.remove('t', cid, true);
    expect(await one.all()).toEqual([]);
  });
});
