import { type Bucket } from './bucket';
import { carKey, indexKey, SEGMENTS } from './segment-keys';
import { type SharedIndex, type Sweep } from './shared-index';
import { madeAt } from './unique-name';

/** Nobody sends a segment for so long, not even by the clock of another machine. */
const SENT_WITHIN_MS = 24 * 3600 * 1000;

/** Removes the objects of a segment that was dropped. */
export async function removeObjects(bucket: Bucket, segment: string): Promise<void> {
  // The index first: without it nobody takes the segment for one that the shared index lacks.
  await bucket.delete(indexKey(segment));
  await bucket.delete(carKey(segment));
}

/**
 * Removes what lies in the bucket and is no segment: objects of dropped ones that could not be removed then, and halves that
 * processes died over. A half is dropped first: should somebody be sending it still, he is refused, and sends it anew.
 *
 * @throws CommandError when the sweep is not the one that runs any more.
 */
export async function removeRemains(bucket: Bucket, index: SharedIndex, sweep: Sweep): Promise<void> {
  const objects = new Set<string>();
  for await (const key of bucket.list(SEGMENTS)) objects.add(key);
  // After the list: what is registered meanwhile is no half.
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
