import { Gauge, type Registry } from 'prom-client';

/** Counts the open connections of a listener. */
export type CountOpen = () => number | Promise<number>;

const counted = new WeakMap<Registry, Map<string, CountOpen>>();

/**
 * Adds the connections of a listener to the metric `keystead_connections`.
 *
 * @param registry - The metrics of the process.
 * @param listener - Its label; a later listener of the same label replaces it.
 * @param count - Counts them, with TLS also those whose handshake is not complete.
 */
export function meterConnections(registry: Registry, listener: string, count: CountOpen): void {
  const known = counted.get(registry);
  if (known !== undefined) {
    known.set(listener, count);
    return;
  }
  const counts = new Map([[listener, count]]);
  counted.set(registry, counts);
  new Gauge({
    name: 'keystead_connections',
    help: 'Open connections of each listener, whatever their state.',
    labelNames: ['listener'],
    registers: [registry],
    async collect() {
      for (const [name, each] of counts) this.set({ listener: name }, await each());
    },
  });
}
