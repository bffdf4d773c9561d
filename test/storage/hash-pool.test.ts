import { createHash } from 'node:crypto';
import { once } from 'node:events';
import os from 'node:os';
import workerThreads from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import * as fc from 'fast-check';
import { HashPool } from '../../src/service/storage/blocks/hash-pool';
import { HashThreads, SLOT_BYTES } from '../../src/service/storage/blocks/hash-threads';

const LEAF = 256 << 10;
const NOTHING = new Uint8Array(0);
const pools: HashPool[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function makePool(threads: number): HashPool {
  const pool = new HashPool(threads);
  pools.push(pool);
  return pool;
}

/** Bytes that tell one block from another. */
const content = (seed: number, length = LEAF) => Buffer.alloc(length, createHash('sha256').update(`${seed}`).digest());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What a block is to be answered with; of its bytes only the hash, since Jest takes long to compare them. */
const expected = (bytes: Uint8Array) => ({ digest: sha256(bytes), crc: crc32(bytes), bytes: sha256(bytes) });

/** Hashes one block; what the pool said of it, and the bytes it gave out. */
async function hashed(pool: HashPool, bytes: Uint8Array, pieces: readonly Uint8Array[] = [bytes]) {
  let answer: ReturnType<typeof expected> | undefined;
  await pool.hash(NOTHING, pieces, NOTHING, ({ digest, crc }, parts) => {
    answer = { digest: Buffer.from(digest).toString('hex'), crc, bytes: sha256(Buffer.concat(parts)) };
    return Promise.resolve();
  });
  return answer;
}

/** The threads that are started from here on. */
function watchThreads(): workerThreads.Worker[] {
  const started: workerThreads.Worker[] = [];
  const { Worker } = workerThreads;
  jest.spyOn(workerThreads, 'Worker').mockImplementation((code, options) => {
    const thread = new Worker(code, options);
    started.push(thread);
    return thread;
  });
  return started;
}

test('blocks of any length in any pieces get the digests of node:crypto and node:zlib', async () => {
  const pool = makePool(3);
  const edges = [0, 1, (32 << 10) - 1, 32 << 10, LEAF, LEAF + 14, SLOT_BYTES - 1, SLOT_BYTES, SLOT_BYTES + 1];
  for (const length of edges) {
    const bytes = content(length, length);
    expect(await hashed(pool, bytes)).toEqual(expected(bytes));
  }
  const cut = fc.tuple(fc.integer({ min: 0, max: 400_000 }), fc.array(fc.double({ min: 0, max: 1, noNaN: true })));
  await fc.assert(
    fc.asyncProperty(cut, async ([length, cuts]) => {
      const bytes = content(length, length);
      const ends = [...cuts.map((part) => Math.floor(part * length)).sort((a, b) => a - b), length];
      const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
      expect(await hashed(pool, bytes, pieces)).toEqual(expected(bytes));
    }),
    { numRuns: 50, seed: 1 },
  );
});

test.each([1, 3])(
  'many concurrent blocks on %i threads: each gets its own digest, and its bytes stay while in use',
  async (threads) => {
    jest.spyOn(os, 'availableParallelism').mockReturnValue(8);
    const started = watchThreads();
    const pool = makePool(threads);
    let used = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 200 }, async (_, seed) => {
        const bytes = content(seed, LEAF - seed);
        await pool.hash(
          bytes.subarray(0, 7),
          [bytes.subarray(7, 5000), bytes.subarray(5000, -3)],
          bytes.subarray(-3),
          async (sums, parts) => {
            most = Math.max(most, ++used);
            // Others are hashed meanwhile.
            await new Promise((resolve) => setImmediate(resolve));
            expect({
              ...sums,
              digest: Buffer.from(sums.digest).toString('hex'),
              bytes: sha256(Buffer.concat(parts)),
            }).toEqual(expected(bytes));
            used--;
          },
        );
      }),
    );
    expect(started).toHaveLength(threads);
    expect(most).toBeLessThanOrEqual(32);
  },
);

test('one CPU stays free, and a second thread starts only when the first has enough to do', async () => {
  const parallelism = jest.spyOn(os, 'availableParallelism').mockReturnValue(8);
  const started = watchThreads();
  const busy = makePool(3);
  for (let seed = 0; seed < 20; seed++) await hashed(busy, content(seed));
  expect(started).toHaveLength(1);
  parallelism.mockReturnValue(2);
  const small = makePool(3);
  await Promise.all(Array.from({ length: 50 }, (_, seed) => hashed(small, content(seed))));
  expect(started).toHaveLength(2);
});

test('when a thread fails, pending requests are rejected, blocks in use are not disturbed, and the next block is hashed', async () => {
  const started = watchThreads();
  const pool = makePool(1);
  const kept = pool.hash(NOTHING, [content(1)], NOTHING, async (_sums, parts) => {
    const [thread] = started;
    if (thread === undefined) throw new Error('no thread was started');
    await thread.terminate();
    expect(await hashed(pool, content(3))).toEqual(expected(content(3)));
    expect(sha256(Buffer.concat(parts))).toBe(sha256(content(1)));
  });
  await kept;
  const waiting = Array.from({ length: 40 }, (_, seed) => hashed(pool, content(seed)));
  const results = Promise.allSettled(waiting);
  const [, second] = started;
  await second?.terminate();
  const failed = (await results).filter(({ status }) => status === 'rejected');
  expect(failed.length).toBeGreaterThan(0);
  for (const each of failed) {
    expect((each as PromiseRejectedResult).reason).toEqual(new Error('a hashing thread failed: it exited'));
  }
  expect(await hashed(pool, content(4))).toEqual(expected(content(4)));
});

test('closing a pool during hashing rejects pending requests', async () => {
  const pool = makePool(1);
  const waiting = Promise.allSettled(Array.from({ length: 40 }, (_, seed) => hashed(pool, content(seed))));
  await pool.close();
  const reasons = (await waiting).flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  expect(reasons.length).toBeGreaterThan(0);
  expect(new Set(reasons)).toEqual(new Set(['Error: the hashing threads were stopped']));
});

test('the queue stays correct when its counters overflow', async () => {
  const { Worker } = workerThreads;
  jest.spyOn(workerThreads, 'Worker').mockImplementation((code, options) => {
    // One block was handed over, in slot 0, as unused places of the queue say, too: the largest numbers that the counters hold.
    const { board } = (options?.workerData ?? {}) as { board: SharedArrayBuffer };
    new Int32Array(board).set([0x7fffffff, 0x7ffffffe]);
    return new Worker(code, options);
  });
  const pool = makePool(1);
  for (let seed = 0; seed < 40; seed++) expect(await hashed(pool, content(seed))).toEqual(expected(content(seed)));
});

test('a thread takes nothing that was not submitted, even if another one takes a block between its two reads', async () => {
  const { Worker } = workerThreads;
  let counters = new Int32Array(new SharedArrayBuffer(8));
  jest.spyOn(workerThreads, 'Worker').mockImplementation((code, options) => {
    const { board } = (options?.workerData ?? {}) as { board: SharedArrayBuffer };
    counters = new Int32Array(board, 0, 2);
    // The first block is another thread's, and once this one has looked at a counter, one more is given, and taken by the other.
    counters.set([1, 1]);
    const between = `const { load } = Atomics;
Atomics.load = (ints, at) => {
  const value = load(ints, at);
  Atomics.load = load;
  Atomics.add(ints, 0, 1);
  Atomics.add(ints, 1, 1);
  require('node:worker_threads').parentPort.postMessage(0);
  return value;
};
`;
    return new Worker(between + String(code), options);
  });
  const threads = new HashThreads(1, () => undefined);
  const [others, own] = [await threads.take(), await threads.take()];
  const lost = expect(threads.hash(others, LEAF)).rejects.toThrow('the hashing threads were stopped');
  const [thread] = (workerThreads.Worker as unknown as jest.Mock<workerThreads.Worker>).mock.results;
  await once(thread?.value as workerThreads.Worker, 'message');
  threads.bytes(own, LEAF).fill(content(1));
  const { digest } = await threads.hash(own, LEAF);
  expect(Buffer.from(digest).toString('hex')).toBe(sha256(content(1)));
  expect(Atomics.load(counters, 1)).toBe(Atomics.load(counters, 0));
  await threads.end();
  await lost;
});
