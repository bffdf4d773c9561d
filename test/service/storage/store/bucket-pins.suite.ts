import { uncharged } from '../../../../src/service/admission/uncharged';
import { Bucket, type BucketOptions } from '../../../../src/service/storage/store/bucket';
import { BucketPins } from '../../../../src/service/storage/store/bucket-pins';
import { collect } from '../../../support/storage/content';
import { SteppedBucket } from '../../../support/storage/stepped-bucket';
import { rawBlock } from './store.suite';

/** Tests pins in a bucket. @param optionsOf gives each test a prefix of its own. */
export function describeBucketPins(optionsOf: () => BucketOptions): void {
  describe('pins in a bucket, changed by two processes', () => {
    const { cid } = rawBlock(Buffer.from('pinned'));
    let stepped: SteppedBucket;
    /** The pins in two processes. The bucket of `one` runs steps. */
    let one: BucketPins;
    let two: BucketPins;
    beforeEach(() => {
      const options = optionsOf();
      stepped = new SteppedBucket(options);
      one = new BucketPins(stepped);
      two = new BucketPins(new Bucket(options));
    });

    /** The pins of a tenant as `two` sees them. */
    const found = async (tenant = 't') =>
      (await collect(two.list(uncharged(), tenant))).map(({ mode, name }) => `${mode} ${name}`);
    const objects = () => collect(stepped.list('pins/'));
    const killed = () => Promise.reject(new Error('killed'));

    test('two new names at the same moment, one of them the old one: one of them remains', async () => {
      await one.add('t', cid, 'recursive', 'z');
      // Both names exist at this moment, and the other process sets the old one again.
      stepped.at('delete', () => two.add('t', cid, 'recursive', 'z'));
      await one.add('t', cid, 'recursive', 'b');
      expect(await found()).toEqual([expect.stringMatching(/^recursive [bz]$/)]);
      await two.remove('t', cid, true);
      expect(await collect(one.list(uncharged()))).toEqual([]);
    });

    test('a name set by another process in the middle of a change remains', async () => {
      await one.add('t', cid, 'recursive', 'a');
      stepped.at('put', () => two.add('t', cid, 'recursive', 'c'));
      await one.add('t', cid, 'recursive', 'b');
      expect(await found()).toEqual(['recursive c']);
    });

    test('during a change the pin always has an object, and exactly one in the end', async () => {
      await one.add('t', cid, 'direct', 'a');
      const meanwhile: string[][] = [];
      stepped.at('delete', async () => meanwhile.push(await found()));
      await one.add('t', cid, 'recursive');
      expect(meanwhile).toEqual([['recursive a']]);
      expect(await objects()).toHaveLength(1);
    });

    test('if a process dies during a change, the new state counts, and its leftovers go with the pin', async () => {
      await one.add('t', cid, 'direct', 'a');
      stepped.at('delete', killed);
      await expect(one.add('t', cid, 'recursive')).rejects.toThrow('killed');
      expect([await found(), await objects()]).toEqual([['recursive a'], expect.objectContaining({ length: 2 })]);
      // Object names sort by creation time in milliseconds.
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 1000);
      stepped.at('delete', killed);
      await expect(one.add('t', cid, 'recursive', 'b')).rejects.toThrow('killed');
      expect(await found()).toEqual(['recursive b']);
      await two.remove('t', cid, true);
      expect(await objects()).toEqual([]);
    });

    test('a recursive pin takes precedence over a later direct one', async () => {
      stepped.at('list', () => two.add('t', cid, 'recursive', 'a'));
      await one.add('t', cid, 'direct', 'b');
      expect([await found(), await objects()]).toEqual([['recursive a'], expect.objectContaining({ length: 2 })]);
    });

    test('a pin that is made again while another process removes it remains', async () => {
      await one.add('t', cid, 'recursive', 'a');
      stepped.at('list', () => two.remove('t', cid, true));
      await one.add('t', cid, 'recursive', 'a');
      expect(await found()).toEqual(['recursive a']);
    });

    test('during a move one of the two always exists, and a move to the same CID changes nothing', async () => {
      const { cid: other } = rawBlock(Buffer.from('other'));
      await one.add('t', cid, 'recursive', 'a');
      const meanwhile: string[][] = [];
      stepped.at('delete', async () => meanwhile.push(await found()));
      await one.move('t', cid, other, true);
      expect(meanwhile).toEqual([['recursive a', 'recursive a']]);
      await one.move('t', other, other, true);
      await one.move('t', other, cid, false);
      expect(await found()).toEqual(['recursive a', 'recursive a']);
    });

    test('what a tenant holds is counted beside everything, once a minute at most, with what others have changed', async () => {
      const heldBy = async (pins: BucketPins) => {
        for (;;) {
          const held = await pins.held('t');
          if (held !== undefined) return held;
          await new Promise(setImmediate);
        }
      };
      const changes: string[] = [];
      one.watch((tenant) => changes.push(tenant));
      const pages = jest.spyOn(stepped, 'pages');
      const folder = `pins/${Buffer.from('t').toString('base64url')}/`;
      const listings = () => pages.mock.calls.filter(([prefix]) => prefix === folder).length;
      const [second, third] = ['second', 'third'].map((text) => rawBlock(Buffer.from(text)).cid);
      await one.add('t', cid, 'recursive', 'a', { size: 5 });
      expect(await one.held('t')).toBeUndefined();
      expect(await heldBy(one)).toEqual({ pins: 1, bytes: 5 });
      expect(await heldBy(one)).toEqual({ pins: 1, bytes: 5 });
      expect(listings()).toBe(1);
      await two.add('t', second!, 'direct', '', { size: 7 });
      await one.add('t', third!, 'recursive', '', { size: 1 });
      await one.add('u', third!, 'recursive', '', { size: 100 });
      for (let time = 0; time < 10; time++) expect(await one.held('t')).toBeUndefined();
      expect(listings()).toBe(1);
      const now = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
      expect(await heldBy(one)).toEqual({ pins: 3, bytes: 13 });
      await one.remove('t', cid, true);
      expect(await one.held('t')).toBeUndefined();
      jest.spyOn(performance, 'now').mockImplementation(() => now() + 122_000);
      expect(await heldBy(one)).toEqual({ pins: 2, bytes: 8 });
      expect(listings()).toBe(3);
      expect(changes).toEqual(['t', 't', 'u', 't']);
    });

    test('tenants do not see the pins of a tenant with the same name prefix', async () => {
      // One name is also a prefix of the other in stored form.
      await one.add('abcdef', cid, 'recursive', 'a');
      expect([await found('abc'), await two.get('abc', cid)]).toEqual([[], undefined]);
      await expect(two.remove('abc', cid, true)).rejects.toThrow('not pinned');
      expect(await found('abcdef')).toEqual(['recursive a']);
    });

    test('pins without a timestamp, from earlier versions, count', async () => {
      await stepped.put(
        `pins/${Buffer.from('t').toString('base64url')}/${cid.toString()}/recursive-YQ`,
        new Uint8Array(0),
      );
      expect(await found()).toEqual(['recursive a']);
      await two.remove('t', cid, true);
      expect(await objects()).toEqual([]);
    });
  });
}
