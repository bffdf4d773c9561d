import { Gauge, type Registry } from 'prom-client';

import { singleFlight } from './single-flight';

/** Something that the service cannot work without. */
export type Dependency = {
  /** What it is, such as `redis` or `disk`. */
  readonly name: string;
  /** What it is used for, such as `keys`. */
  readonly use: string;
  /** @returns The problem, a short sentence without secrets; undefined if there is none. */
  readonly problem: () => Promise<string | undefined>;
};

/**
 * Makes the dependencies of a part visible in the metrics. A scrape looks at them as readiness does, so that a service
 * without any requests shows, too, that it could not answer them.
 *
 * @param registry - Where the metric is registered.
 * @returns Looks at all of them, one look at a time: their problems.
 */
export function watchDependencies(registry: Registry, dependencies: readonly Dependency[]): () => Promise<string[]> {
  const look = singleFlight(() => Promise.all(dependencies.map(({ problem }) => problem())));
  new Gauge({
    name: 'keystead_dependency_up',
    help: 'Whether what the service needs can be used: 1 or 0.',
    labelNames: ['dependency', 'use'],
    registers: [registry],
    async collect() {
      const found = await look();
      for (const [i, { name, use }] of dependencies.entries())
        this.set({ dependency: name, use }, found[i] === undefined ? 1 : 0);
    },
  });
  return async () => (await look()).filter((problem) => problem !== undefined);
}

/**
 * @param check - Rejects if the dependency cannot be used.
 * @param problem - What to say then.
 * @returns A look at the dependency.
 */
export const problemIf =
  (check: () => Promise<unknown>, problem: (error: unknown) => string): Dependency['problem'] =>
  () =>
    check().then(() => undefined, problem);
