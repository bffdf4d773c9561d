import { type Progress } from '../store/block-store';
import { type Bucket } from '../store/bucket';
import { type BucketStore } from '../store/bucket-store';
import { type Migrated } from './migrate';
import { readSegment } from './old-segment';

/** Where version 0.2 kept the blocks of a bucket. */
export const OLD_SEGMENTS = 'segments/';

/**
 * Reads the segments of version 0.2 in a bucket into one object for each block, while no service of that version uses
 * it. The pins are as they were. It may be stopped and run again; the segments are removed once everything is written,
 * unless a block could not be read.
 *
 * Redis alone knew which blocks had been removed, so they return as blocks without a pin, and the next collection
 * removes them.
 */
export async function migrateBucket(
  bucket: Bucket,
  store: BucketStore,
  progress?: Progress,
): Promise<Omit<Migrated, 'pins' | 'keptIn'> | undefined> {
  const old: string[] = [];
  for await (const key of bucket.list(OLD_SEGMENTS)) old.push(key);
  if (old.length === 0) return undefined;
  const problems: string[] = [];
  for (const [done, name] of old.entries()) {
    progress?.(done, old.length);
    if (!name.endsWith('.car')) continue;
    const [car = Buffer.alloc(0), index] = await Promise.all([
      bucket.get(name, Infinity),
      bucket.get(name.replace(/car$/u, 'index'), Infinity),
    ]);
    const read = (offset: number, length: number) => Promise.resolve(car.subarray(offset, offset + length));
    for await (const found of readSegment({ size: car.length, read, index })) {
      if ('problem' in found) problems.push(`${name}: ${found.problem}`);
      else await store.put(found.key, found.bytes);
    }
  }
  if (problems.length === 0) for (const name of old) await bucket.delete(name);
  return { blocks: (await store.stat()).blocks, problems };
}
