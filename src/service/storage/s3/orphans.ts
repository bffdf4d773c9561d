import { type Bucket } from './bucket';
import { carKey, indexKey, SEGMENTS } from './segment-keys';
import { type SharedIndex, type Sweep } from './shared-index';
import { madeAt } from './unique-name';

/** Upper bound for the time to send a segment, allowing for the clocks of different machines. */
const SENT_WITHIN_MS = 24 * 3600 * 1000;

/** Deletes the objects of a dropped segment. */
export async function removeObjects(bucket: Bucket, segment: string): Promise<void> {
  // The index first: without it no process takes the segment for one missing from the shared index.
  await bucket.delete(indexKey(segment));
  await bucket.delete(carKey(segment));
}

/**
 * Deletes objects in the bucket that belong to no segment: those of dropped segments that could not be deleted earlier,
 * and incomplete segments of processes that died. An incomplete segment is dropped first, so that a process still
 * sending it is rejected and sends it again under a new name.
 *
 * @throws CommandError if the sweep is no longer the running one.
 */
export async function removeOrphans(bucket: Bucket, index: SharedIndex, sweep: Sweep): Promise<void> {
  const objects = new Set<string>();
  for await (const key of bucket.list(SEGMENTS)) objects.add(key);
  // Read after listing, so that a segment registered meanwhile does not count as incomplete.
  const known = new Set((await index.segments()).map(({ segment }) => segment));
  const dropped = new Set(await index.dropped());
  const segments = new Set([...objects].map((key) => key.slice(SEGMENTS.length).replace(/\.(?:car|index)$/, '')));
  const isOldHalf = (segment: string) =>
    !known.has(segment) &&
    objects.has(carKey(segment)) !== objects.has(indexKey(segment)) &&
    (madeAt(segment) ?? Infinity) < Date.now() - SENT_WITHIN_MS;
  for (const segment of segments) {
    if (dropped.has(segment) || (isOldHalf(segment) && (await sweep.drop(segment))))
      await removeObjects(bucket, segment);
  }
}
