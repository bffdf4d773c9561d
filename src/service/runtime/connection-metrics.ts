import type { Server } from 'node:http';

import { Gauge, type Registry } from 'prom-client';

import { countConnections } from './listener';

const counted = new WeakMap<Registry, Map<string, Server>>();

/**
 * Adds the connections of a server to the metric `keystead_connections`.
 *
 * @param registry - The metrics of the process.
 * @param listener - Its label, which is unique.
 * @param server - From createListener.
 */
export function meterConnections(registry: Registry, listener: string, server: Server): void {
  const known = counted.get(registry);
  if (known !== undefined) {
    known.set(listener, server);
    return;
  }
  const servers = new Map([[listener, server]]);
  counted.set(registry, servers);
  new Gauge({
    name: 'keystead_connections',
    help: 'Open connections of each listener, whatever their state.',
    labelNames: ['listener'],
    registers: [registry],
    collect() {
      for (const [name, each] of servers) this.set({ listener: name }, countConnections(each));
    },
  });
}
