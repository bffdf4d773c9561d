import type { Histogram, Registry } from 'prom-client';

/** What was observed, by the buckets that it falls into. */
export class Distribution {
  readonly #bounds: readonly number[];
  /** Of each bucket, and of what is above the last bound. */
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds - Of the buckets, ascending; a value that is equal to a bound is within it. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let i = 0;
    while (i < bounds.length && value > (bounds[i] as number)) i += 1;
    this.#counts[i] = (this.#counts[i] as number) + 1;
    this.#sum += value;
  }

  /** @returns For each bound how many values are not above it; how many there are; their sum. */
  read(): { upTo: [number, number][]; count: number; sum: number } {
    let count = 0;
    const upTo = this.#bounds.map((bound, i): [number, number] => [bound, (count += this.#counts[i] as number)]);
    return { upTo, count: count + (this.#counts.at(-1) as number), sum: this.#sum };
  }
}

/** @returns The distribution that belongs to these labels; to be kept by whoever observes. Asked for twice, it is two. */
export type DistributionOf<Label extends string> = (labels: Record<Label, string>) => Distribution;

/**
 * A histogram for what happens with every request: prom-client takes 0.7 us each time to check the labels and to find the
 * numbers by them. It is given these as it takes the metrics of other processes, as values that are ready.
 *
 * @param registry - Where the metric is registered.
 * @param metric - Its name and what it says, and the bounds of its buckets.
 * @returns What gives out its distributions.
 */
export function distributed<Label extends string>(
  registry: Registry,
  { name, help, bounds }: { name: string; help: string; bounds: readonly number[] },
): DistributionOf<Label> {
  const known: { labels: Record<Label, string>; distribution: Distribution }[] = [];
  const values = () =>
    known.flatMap(({ labels, distribution }) => {
      const { upTo, count, sum } = distribution.read();
      return [
        ...[...upTo, ['+Inf', count] as const].map(([le, value]) => ({
          metricName: `${name}_bucket`,
          labels: { le, ...labels },
          value,
        })),
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  const description = { name, help, type: 'histogram', aggregator: 'sum' };
  const metric: unknown = { ...description, get: async () => ({ ...description, values: values() }) };
  registry.registerMetric(metric as Histogram);
  return (labels) => {
    const distribution = new Distribution(bounds);
    known.push({ labels, distribution });
    return distribution;
  };
}
