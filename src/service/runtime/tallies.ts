import {
  Counter,
  type CounterConfiguration,
  Histogram,
  type HistogramConfiguration,
  type MetricObjectWithValues,
  type MetricValueWithName,
} from 'prom-client';

/** Values of one kind for each combination of labels, found without making a text of them. */
class ByLabels<Value> {
  readonly #make: () => Value;
  readonly #found = new Map<string, unknown>();
  readonly all: { readonly values: readonly string[]; readonly of: Value }[] = [];

  constructor(make: () => Value) {
    this.#make = make;
  }

  of(values: readonly string[]): Value {
    let level = this.#found;
    const last = values.length - 1;
    for (let i = 0; i < last; i++) {
      let next = level.get(values[i] as string) as Map<string, unknown> | undefined;
      if (next === undefined) level.set(values[i] as string, (next = new Map()));
      level = next;
    }
    let found = level.get(values[last] ?? '') as Value | undefined;
    if (found === undefined) {
      found = this.#make();
      level.set(values[last] ?? '', found);
      this.all.push({ values, of: found });
    }
    return found;
  }
}

const labelled = <Label extends string>(names: readonly Label[], values: readonly string[]) =>
  Object.fromEntries(names.map((name, i) => [name, values[i]])) as Partial<Record<Label, string>>;

/** Counts plain numbers, which become a metric when they are scraped: `prom-client` takes a microsecond for each. */
export class Tally<Label extends string> {
  readonly #counts = new ByLabels(() => ({ count: 0 }));

  /** @param config - As for `Counter`; the values of {@link add} are in the order of its labels. */
  constructor(config: CounterConfiguration<Label> & { labelNames: readonly Label[] }) {
    const counts = this.#counts;
    new Counter({
      ...config,
      collect() {
        this.reset();
        for (const { values, of } of counts.all) this.inc(labelled(config.labelNames, values), of.count);
      },
    });
  }

  add(amount: number, ...values: readonly string[]): void {
    this.#counts.of(values).count += amount;
  }
}

/** The same for a histogram. */
export class TallyHistogram<Label extends string> extends Histogram<Label> {
  readonly #bounds: readonly number[];
  readonly #labels: readonly Label[];
  readonly #config: { readonly name: string; readonly help: string };
  readonly #found: ByLabels<{ readonly buckets: number[]; sum: number }>;

  /** @param config - As for `Histogram`; the values of {@link add} are in the order of its labels. */
  constructor(config: HistogramConfiguration<Label> & { labelNames: readonly Label[]; buckets: number[] }) {
    super(config);
    this.#config = config;
    this.#bounds = config.buckets;
    this.#labels = config.labelNames;
    this.#found = new ByLabels(() => ({ buckets: Array.from({ length: config.buckets.length + 1 }, () => 0), sum: 0 }));
  }

  add(value: number, ...values: readonly string[]): void {
    const found = this.#found.of(values);
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] as number)) bucket++;
    found.buckets[bucket] = (found.buckets[bucket] ?? 0) + 1;
    found.sum += value;
  }

  override get(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    const { name, help } = this.#config;
    const values = this.#found.all.flatMap(({ values: texts, of: { buckets, sum } }) => {
      const labels = labelled(this.#labels, texts);
      let count = 0;
      const bounded = buckets.map((each, i) => {
        count += each;
        return { labels: { le: this.#bounds[i] ?? '+Inf', ...labels }, value: count, metricName: `${name}_bucket` };
      });
      return [
        ...bounded,
        { labels, value: sum, metricName: `${name}_sum` },
        { labels, value: count, metricName: `${name}_count` },
      ] as MetricValueWithName<Label>[];
    });
    return Promise.resolve({ name, help, type: 'histogram', values, aggregator: 'sum' } as unknown as Awaited<
      ReturnType<Histogram<Label>['get']>
    >);
  }

  /** What a registry asks for its text. */
  getForPromString(): ReturnType<TallyHistogram<Label>['get']> {
    return this.get();
  }
}
