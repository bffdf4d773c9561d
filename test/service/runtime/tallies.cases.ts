import { AggregatorRegistry, Counter, Histogram, Registry } from 'prom-client';
import { Tally, TallyHistogram } from '../../../src/service/runtime/tallies';

const BUCKETS = [0.1, 1, 5];
const config = (registry: Registry, name: string) => ({ name, help: 'Help.', registers: [registry] });

test('plain numbers become what prom-client would have made of them, as text and for another thread', async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const labelNames = ['network', 'method'] as const;
  const tally = new Tally({ ...config(ours, 'requests_total'), labelNames });
  const counter = new Counter({ ...config(theirs, 'requests_total'), labelNames });
  const seconds = new TallyHistogram({ ...config(ours, 'seconds'), labelNames, buckets: BUCKETS });
  const histogram = new Histogram({ ...config(theirs, 'seconds'), labelNames, buckets: BUCKETS });
  const same = async () => {
    expect(await ours.metrics()).toBe(await theirs.metrics());
    const joined = async (registry: Registry) => {
      const all = [await registry.getMetricsAsJSON(), await registry.getMetricsAsJSON()];
      return AggregatorRegistry.aggregate(all as never).metrics();
    };
    expect(await joined(ours)).toBe(await joined(theirs));
  };
  await same();
  const methods = ['eth_chainId', 'eth_call', 'a"b'];
  for (let i = 0; i < 50; i++) {
    const [network, method, value] = [i % 2 === 0 ? 'mainnet' : 'sepolia', methods[i % 3] ?? '', i / 8];
    tally.add(i, network, method);
    counter.inc({ network, method }, i);
    seconds.add(value, network, method);
    histogram.observe({ network, method }, value);
  }
  await same();
  await same();
});
