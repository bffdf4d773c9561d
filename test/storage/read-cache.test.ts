import { ReadCache } from '../../src/service/storage/blocks/read-cache';

const keyOf = (number: number) => Uint8Array.of(0x12, 1, number);
const block = (fill: number, length = 100) => new Uint8Array(length).fill(fill);

/** A full cache of 64 blocks, and a function that returns the blocks it no longer has. */
function full() {
  const cache = new ReadCache(6400);
  for (let number = 0; number < 64; number++) cache.set(keyOf(number), block(number));
  return { cache, missing: () => Array.from({ length: 66 }, (_, i) => i).filter((i) => !cache.get(keyOf(i))) };
}

test('a full cache evicts the least recently read blocks, and no more than necessary', () => {
  const { cache, missing } = full();
  expect(cache.get(keyOf(0))).toEqual(block(0));
  cache.set(keyOf(64), block(64));
  cache.set(keyOf(65), block(65));
  expect(missing()).toEqual([1, 2]);
});

test('a replaced or removed block frees its space', () => {
  const { cache, missing } = full();
  cache.set(keyOf(5), block(99));
  expect(cache.get(keyOf(5))).toEqual(block(99));
  cache.delete(keyOf(6));
  cache.set(keyOf(64), block(64));
  expect(missing()).toEqual([6, 65]);
});

test('a block over a 64th of the cache is not cached, and evicts none', () => {
  const { cache, missing } = full();
  cache.set(keyOf(64), block(64, 101));
  expect(missing()).toEqual([64, 65]);
});

test('if all blocks were read, the oldest is evicted, and those after it are next', () => {
  const { cache, missing } = full();
  expect(missing()).toEqual([64, 65]);
  cache.set(keyOf(64), block(64));
  cache.set(keyOf(65), block(65));
  expect(missing()).toEqual([0, 1]);
});
