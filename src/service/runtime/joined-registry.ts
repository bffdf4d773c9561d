import { AggregatorRegistry, Registry } from 'prom-client';

/** The metrics of a registry as data, which can cross the border of a thread. */
export type MetricsData = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The metrics of this thread, together with those of others. */
export class JoinedRegistry extends Registry {
  readonly #others: (() => Promise<MetricsData>)[] = [];

  /** @param other - Asked at each scrape; its metrics are added to those of the same name. */
  join(other: () => Promise<MetricsData>): void {
    this.#others.push(other);
  }

  override async metrics(): Promise<string> {
    if (this.#others.length === 0) return super.metrics();
    const others = await Promise.all(this.#others.map((other) => other()));
    const own = await this.getMetricsAsJSON();
    // Some metrics of a process, such as its start, cannot be added up, and no other thread has them.
    const all = [own, ...others].map((metrics) =>
      metrics.map((metric) => (metric.aggregator === 'omit' ? { ...metric, aggregator: 'first' } : metric)),
    );
    return AggregatorRegistry.aggregate(all).metrics();
  }
}
