import { type Backend, startBalancer } from '../../support/service/balancer';
import {
  type Addresses,
  Clients,
  type Member,
  nginxInFront,
  type Seen,
  startMembers,
} from '../../support/service/drill';
import { noNginx } from '../../support/service/nginx';
import { noRedis } from '../../support/service/redis';
import { perRun } from '../../support/nightly';

const RESTARTS = perRun(2, 20);

type Front = Addresses & { readonly allReady?: () => Promise<unknown> };

/** Two processes, of which one is restarted after the other, and clients in front of them. */
async function drill(inFront: (members: readonly Member[]) => Promise<Front>): Promise<Seen> {
  const members = await startMembers(2);
  const key = await members[0]!.createKey();
  const front = await inFront(members);
  const clients = new Clients(front, key);
  for (let n = 0; n < RESTARTS; n++) {
    const member = members[n % members.length]!;
    const { requests } = clients.seen;
    // Whoever restarts processes waits until the balancer uses the one before again.
    await front.allReady?.();
    expect(await member.stop()).toEqual([0, null]);
    await member.start();
    expect(clients.seen.requests).toBeGreaterThan(requests);
  }
  const seen = await clients.stop();
  for (const member of members) await member.stop();
  return seen;
}

const expectNoFailure = ({ failed, ...counts }: Seen) => {
  expect(failed.slice(0, 5)).toEqual([]);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(RESTARTS / 2 - 1);
  process.stderr.write(`${RESTARTS} restarts: ${JSON.stringify(counts)}\n`);
};

const maybe = noRedis === undefined ? test : test.skip;

maybe(
  `${RESTARTS} rolling restarts behind a balancer without retries: no request fails${noRedis ? ` (${noRedis})` : ''}`,
  async () => {
    const balancerOf = (part: 'chain' | 'storage', members: readonly Member[]) => {
      const name = part === 'chain' ? 'rpc' : 'storage';
      return startBalancer(members.map((member): Backend => ({ port: member.ports[name], ready: member.ready(part) })));
    };
    const seen = await drill(async (members) => {
      const [rpc, storage] = [await balancerOf('chain', members), await balancerOf('storage', members)];
      return {
        rpc: `http://127.0.0.1:${rpc.port}`,
        storage: `http://127.0.0.1:${storage.port}`,
        allReady: () => Promise.all([rpc.allReady(), storage.allReady()]),
      };
    });
    expectNoFailure(seen);
  },
  600_000,
);

const why = noRedis ?? noNginx;

(why === undefined ? test : test.skip)(
  `${RESTARTS} rolling restarts behind nginx as shipped: no request fails${why ? ` (${why})` : ''}`,
  async () => {
    let seen = await drill(nginxInFront);
    // Between its question to a process and the request that follows, nginx has seconds, which a machine that stands
    // still may take. The nightly run, with more restarts, forgives nothing.
    for (let more = perRun(2, 0); seen.failed.length > 0 && more > 0; more--) seen = await drill(nginxInFront);
    expectNoFailure(seen);
  },
  600_000,
);
