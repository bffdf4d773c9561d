import { type Scene } from '../scene';
import { entryOf } from '../metadata/contract-metadata';
import { type Shard } from './descriptor';

/**
 * The part of the descriptors that covers a selector or type hash.
 *
 * @param of - Whether a call or a message is being decoded, or one beside a rule of ours, which needs it for words
 * only.
 * @param digits - The selector or hash, or at least its first digit.
 * @returns undefined if there is no such part, or if it was not looked up yet; it is then asked for.
 */
export function shardOf(
  of: 'call' | 'message' | 'beside',
  digits: string,
  { view, findings }: Pick<Scene, 'view' | 'findings'>,
): Shard | undefined {
  const digit = digits.slice(0, 1);
  if (digit === '') return undefined;
  const shard = entryOf(view.contractMetadata?.shards ?? {}, digit);
  if (shard === undefined) findings.lookUp({ kind: 'shard', of, digit });
  return shard ?? undefined;
}
