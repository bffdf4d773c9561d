import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';

import { observed } from '../../src/service/rpc/histogram';

/** Bounds as they may be configured: ascending, each once. */
const buckets = fc
  .uniqueArray(fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.constantFrom(0.0001, 0.1, 1, 15)), {
    minLength: 1,
    maxLength: 12,
  })
  .map((bounds) => bounds.map((bound) => bound + 0).sort((a, b) => a - b));

/** Texts that the exposition must escape are among them. */
const label = fc.oneof(fc.constantFrom('mainnet', 'a"b', 'back\\slash', 'two\nlines', ''), fc.string());

const what = { name: 'keystead_seconds', help: 'Time \\ to answer,\nin seconds.' };
const labelNames = ['network', 'method'] as const;

test("what is told of a histogram is what prom-client's own tells of the same values", async () => {
  const cases = buckets.chain((bounds) =>
    fc.record({
      bounds: fc.constant(bounds),
      labels: fc.array(fc.record({ network: label, method: label }), { minLength: 1, maxLength: 4 }),
      values: fc.array(
        fc.tuple(
          fc.nat(),
          fc.oneof(
            fc.constantFrom(...bounds),
            fc.double({ noNaN: true, noDefaultInfinity: true }),
            fc.double({ min: 0, max: 20, noNaN: true }),
          ),
        ),
        { maxLength: 60 },
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ({ bounds, labels, values }) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      const theirHistogram = new Histogram({ ...what, labelNames, buckets: bounds, registers: [theirs] });
      const observedOf = observed({ ...what, labelNames, buckets: bounds, registers: [ours] });
      const kept = labels.map((of) => ({ of, observed: observedOf(of) }));
      expect(await ours.metrics()).toBe(await theirs.metrics());
      for (const [at, value] of values) {
        const { of, observed: mine } = kept[at % kept.length]!;
        mine.observe(value);
        theirHistogram.observe(of, value);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
      // Read again, it is told again.
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }),
  );
});
