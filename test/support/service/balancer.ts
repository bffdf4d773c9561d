import { once } from 'node:events';
import { createServer, connect, type AddressInfo } from 'node:net';

import { OWN_ADDRESS } from './own-address';

const servers: { close: () => unknown }[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** How often readiness is asked for. Cloud load balancers take seconds. */
const CHECK_MS = 100;

/** A server behind a load balancer. */
export type Backend = { readonly port: number; readonly ready: string };

/** A running balancer. */
export type Balancer = {
  readonly port: number;
  /** Resolves once connections go to every server. */
  readonly allReady: () => Promise<void>;
};

/**
 * A load balancer for TCP, as plain as they come: each connection goes to the next server that said when it was asked
 * last that it is ready, and nothing is tried again.
 */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const ready = new Set<Backend>();
  const look = async (backend: Backend) => {
    const isReady = await fetch(backend.ready).then(
      async (response) => {
        await response.text();
        return response.status === 200;
      },
      () => false,
    );
    if (isReady) ready.add(backend);
    else ready.delete(backend);
  };
  const lookAtAll = () => Promise.all(backends.map(look));
  await lookAtAll();
  const checks = setInterval(() => void lookAtAll(), CHECK_MS);
  let turn = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const backend = [...ready][turn++ % ready.size];
    if (backend === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect({ port: backend.port, host: OWN_ADDRESS, allowHalfOpen: true });
    upstream.on('error', () => client.resetAndDestroy());
    client.on('error', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server, { close: () => clearInterval(checks) });
  const allReady = async () => {
    while (ready.size < backends.length) await lookAtAll();
  };
  return { port: (server.address() as AddressInfo).port, allReady };
}
