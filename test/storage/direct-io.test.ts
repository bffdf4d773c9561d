import { DirectIoPolicy, type WriteMode } from '../../src/service/storage/blocks/direct-io';

const BYTES = 1000;

/** Takes batches, of which each lasts as long as `msOf` says of its mode; tells the ways. */
async function takeBatches(
  policy: DirectIoPolicy,
  clock: { ms: number },
  count: number,
  msOf: Record<WriteMode, number>,
) {
  const taken: WriteMode[] = [];
  const take = (mode: WriteMode) => () => {
    taken.push(mode);
    clock.ms += msOf[mode];
    return Promise.resolve();
  };
  for (let batch = 0; batch < count; batch++) {
    await policy.take(BYTES, { direct: take('direct'), cached: take('cached') });
  }
  return taken;
}

const shareOf = (mode: WriteMode, taken: readonly WriteMode[]) =>
  taken.filter((each) => each === mode).length / taken.length;

const start = () => {
  const clock = { ms: 0 };
  return { clock, policy: new DirectIoPolicy(() => clock.ms) };
};

test.each([
  ['as quick', 1, 1, 'direct'],
  ['nearly three times as quick', 2.9, 1, 'direct'],
  ['more than three times as quick', 3.1, 1, 'cached'],
] as const)(
  'each mode is tried four times, and then, if the page cache is %s: %d, %d ms: %s',
  async (_name, direct, cached, mode) => {
    const { clock, policy } = start();
    const taken = await takeBatches(policy, clock, 60, { direct, cached });
    const trials = 4;
    expect(shareOf('direct', taken.slice(0, 2 * trials))).toBe(0.5);
    expect(shareOf(mode, taken.slice(2 * trials))).toBe(1);
  },
);

test('the first batch of a mode does not count', async () => {
  const { clock, policy } = start();
  await takeBatches(policy, clock, 1, { direct: 1, cached: 1 });
  await takeBatches(policy, clock, 7, { direct: 8, cached: 2 });
  expect(shareOf('cached', await takeBatches(policy, clock, 50, { direct: 8, cached: 2 }))).toBe(1);
});

test('the other mode is tried again now and then, and chosen once it is faster', async () => {
  const { clock, policy } = start();
  const before = await takeBatches(policy, clock, 640, { direct: 1, cached: 2 });
  expect(before.filter((mode) => mode === 'cached').length).toBeGreaterThanOrEqual(4 + 9);
  expect(shareOf('direct', before)).toBeGreaterThan(0.97);
  await takeBatches(policy, clock, 640, { direct: 7, cached: 2 });
  const after = await takeBatches(policy, clock, 640, { direct: 7, cached: 2 });
  expect(shareOf('cached', after)).toBeGreaterThan(0.97);
});

test('one slow or lucky batch decides nothing', async () => {
  for (const held of [1000, 0]) {
    const { clock, policy } = start();
    await takeBatches(policy, clock, 20, { direct: 4, cached: 2 });
    await takeBatches(policy, clock, 1, { direct: held, cached: held });
    expect(shareOf('direct', await takeBatches(policy, clock, 40, { direct: 4, cached: 2 }))).toBe(1);
  }
  const { clock, policy } = start();
  await takeBatches(policy, clock, 20, { direct: 9, cached: 2 });
  await takeBatches(policy, clock, 1, { direct: 1000, cached: 1000 });
  expect(shareOf('cached', await takeBatches(policy, clock, 40, { direct: 9, cached: 2 }))).toBe(1);
});

test('a slow first batch is soon forgotten', async () => {
  const { clock, policy } = start();
  await takeBatches(policy, clock, 1, { direct: 1, cached: 1 });
  await takeBatches(policy, clock, 1, { direct: 1000, cached: 1 });
  const taken = await takeBatches(policy, clock, 40, { direct: 2, cached: 2 });
  expect(shareOf('direct', taken.slice(10))).toBe(1);
});

test('it is the time per byte that counts', async () => {
  const { clock, policy } = start();
  const ways = (ms: number) => {
    const take = () => {
      clock.ms += ms;
      return Promise.resolve();
    };
    return { direct: take, cached: take };
  };
  // Direct: 8 ms for 4,000 bytes; cached: 2 ms for 1,000.
  for (let batch = 0; batch < 4; batch++) await policy.take(4000, ways(8));
  for (let batch = 0; batch < 4; batch++) await policy.take(1000, ways(2));
  expect(shareOf('direct', await takeBatches(policy, clock, 50, { direct: 2, cached: 2 }))).toBe(1);
});

test('a failed batch does not affect the estimate, and its error is reported', async () => {
  const { clock, policy } = start();
  await takeBatches(policy, clock, 8, { direct: 1, cached: 2 });
  const fails = () => {
    clock.ms += 1_000_000;
    return Promise.reject(new Error('full'));
  };
  await expect(policy.take(BYTES, { direct: fails, cached: fails })).rejects.toThrow('full');
  expect(shareOf('direct', await takeBatches(policy, clock, 50, { direct: 1, cached: 2 }))).toBe(1);
});
