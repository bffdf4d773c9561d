import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';

import { distributed } from '../../../src/service/chain/distribution';

const BOUNDS = [0.001, 0.01, 0.5, 2];
const METRIC = { name: 'answer_seconds', help: 'Time to answer.' };

const observed = fc.array(
  fc.record({
    network: fc.constantFrom('mainnet', 'a "quoted"\nname'),
    method: fc.constantFrom('eth_chainId', 'net_version'),
    seconds: fc.oneof(fc.constantFrom(...BOUNDS, 0), fc.double({ min: 0, max: 4, noNaN: true })),
  }),
  { minLength: 1 },
);

test('is written like prom-client’s own histogram', async () => {
  await fc.assert(
    fc.asyncProperty(observed, async (values) => {
      const [own, theirs] = [new Registry(), new Registry()];
      const of = distributed<'network' | 'method'>(own, { ...METRIC, bounds: BOUNDS });
      const known = new Map<string, ReturnType<typeof of>>();
      const peer = new Histogram({
        ...METRIC,
        labelNames: ['network', 'method'],
        buckets: BOUNDS,
        registers: [theirs],
      });
      for (const { network, method, seconds } of values) {
        const key = `${network} ${method}`;
        const distribution = known.get(key) ?? of({ network, method });
        known.set(key, distribution);
        distribution.observe(seconds);
        peer.observe({ network, method }, seconds);
      }
      expect(await own.metrics()).toBe(await theirs.metrics());
      expect(await own.getMetricsAsJSON()).toMatchObject(
        (await theirs.getMetricsAsJSON()).map(({ name, help, type }) => ({ name, help, type })),
      );
    }),
  );
});
