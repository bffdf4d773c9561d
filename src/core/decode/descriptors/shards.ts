import { type Scene } from '../calls/rule';
import { entryOf } from '../knowledge';
import { type Shard } from './descriptor';

/**
 * The part of the descriptors that a selector or type hash belongs to.
 *
 * @param of - What it is looked up for.
 * @param digits - At least the first digit of it.
 * @returns undefined if it has not been looked up, which is wanted then, or is not there.
 */
export function shardOf(
  of: 'call' | 'message',
  digits: string,
  { view, findings }: Pick<Scene, 'view' | 'findings'>,
): Shard | undefined {
  const digit = digits.slice(0, 1);
  if (digit === '') return undefined;
  const shard = entryOf(view.knowledge?.shards ?? {}, digit);
  if (shard === undefined) findings.want({ kind: 'shard', of, digit });
  return shard ?? undefined;
}
