import type { Histogram, Registry } from 'prom-client';

/** The observed values, counted in buckets. */
export class Distribution {
  readonly #bounds: readonly number[];
  /** One per bucket, plus one for values above the last bound. */
  readonly #counts: number[];
  #sum = 0;

  /** @param bounds - Upper bounds of the buckets, ascending and inclusive. */
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

  /** @returns For each bound the number of values at or below it; the total number; their sum. */
  read(): { upTo: [number, number][]; count: number; sum: number } {
    let count = 0;
    const upTo = this.#bounds.map((bound, i): [number, number] => [bound, (count += this.#counts[i] as number)]);
    return { upTo, count: count + (this.#counts.at(-1) as number), sum: this.#sum };
  }
}

/**
 * @returns A new histogram for these labels, for the caller to keep; a second call with the same labels makes a second
 * one.
 */
export type DistributionOf<Label extends string> = (labels: Record<Label, string>) => Distribution;

/**
 * A histogram for the hot path: prom-client takes 0.7 us per observation to check labels and find their values. It
 * receives these as precomputed values, as it does when it merges the metrics of several processes.
 *
 * @param registry - Where the metric is registered.
 * @param metric - Name, help text and bucket bounds.
 * @returns A function that creates one histogram per set of labels.
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
