import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { WebSocket } from 'ws';

import { type Backend, startBalancer } from '../../support/service/balancer';
import { runCli, startCli } from '../../support/service/cli';
import { makeFolder, writeFile } from '../../support/service/folder';
import { noNginx, startNginx } from '../../support/service/nginx';
import { perRun } from '../../support/nightly';
import { OWN_ADDRESS } from '../../support/service/own-address';
import { freePort, noRedis, startRedis } from '../../support/service/redis';
import { untilOutput } from '../../support/service/until-output';

const RESTARTS = perRun(2, 20);

type Ports = { rpc: number; storage: number; operations: number };

/** A process that can be stopped and started again on its ports. */
class Member {
  readonly ports: Ports;
  readonly config: string;
  readonly #dataDir = makeFolder();
  #child: ChildProcess | undefined;

  constructor(ports: Ports, redis: string) {
    this.ports = ports;
    const host = OWN_ADDRESS;
    const limits = { keyPerSecond: 1e6, keyBurst: 1e6 };
    const settings = {
      dataDir: this.#dataDir,
      ledger: 'redis',
      redis: { url: redis },
      log: { level: 'error' },
      credits: { daily: 1e12 },
      rpc: { host, port: ports.rpc, limits, operations: { host, port: ports.operations } },
      storage: { host, port: ports.storage },
    };
    this.config = writeFile('config.json', JSON.stringify(settings), this.#dataDir);
  }

  readonly ready = (part: string) => `http://${OWN_ADDRESS}:${this.ports.operations}/readyz/${part}`;

  async start(): Promise<void> {
    this.#child = startCli(this.#dataDir, ['serve', '--json', '--config', this.config]);
    await untilOutput(this.#child, /^\{.*\}\n/mu);
    for (const part of ['chain', 'storage'])
      expect([part, (await fetch(this.ready(part))).status]).toEqual([part, 200]);
  }

  /** @returns Its exit code and signal. */
  async stop(): Promise<unknown> {
    const exited = once(this.#child as ChildProcess, 'exit');
    this.#child?.kill('SIGTERM');
    return exited;
  }

  async createKey(): Promise<{ key: string; secret: string }> {
    const { json } = await runCli(this.#dataDir, ['keys', 'create', '--config', this.config, '--json']);
    return json.at(-1) as { key: string; secret: string };
  }
}

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const FORM = '--XbX\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nsteady\r\n--XbX--\r\n';

/** What the clients saw. */
type Seen = { requests: number; adds: number; frames: number; moved: number; failed: string[] };

/** Clients that ask for one thing after the other, and take no failure for an answer. */
class Clients {
  readonly seen: Seen = { requests: 0, adds: 0, frames: 0, moved: 0, failed: [] };
  readonly #lanes: Promise<void>[] = [];
  #isOver = false;

  constructor(rpc: string, storage: string, { key, secret }: { key: string; secret: string }) {
    const json = { 'content-type': 'application/json' };
    const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
    const form = { authorization, 'content-type': 'multipart/form-data; boundary=XbX' };
    const ask = (agent: Agent | false) => this.#post('requests', `${rpc}/v3/${key}`, json, CHAIN_ID, '"0x1"', agent);
    const add = (agent: Agent | false) => this.#post('adds', `${storage}/api/v0/add`, form, FORM, '"Hash":"Qm', agent);
    for (const lane of [ask, add])
      for (const agent of [new Agent({ keepAlive: true, maxSockets: 1 }), false as const])
        this.#lanes.push(this.#repeat(() => lane(agent)));
    this.#lanes.push(this.#frames(`${rpc.replace('http', 'ws')}/ws/v3/${key}`));
  }

  async #repeat(run: () => Promise<void>): Promise<void> {
    while (!this.#isOver) await run();
  }

  async #post(
    kind: 'requests' | 'adds',
    url: string,
    headers: Record<string, string>,
    body: string,
    expected: string,
    agent: Agent | false,
  ): Promise<void> {
    try {
      const sent = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } });
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const answer = await text(response);
      this.seen[kind] += 1;
      if (!answer.includes(expected)) this.seen.failed.push(`${kind}: ${response.statusCode} ${answer.slice(0, 200)}`);
    } catch (error) {
      this.seen.failed.push(`${kind}: ${String(error)}`);
    }
  }

  /** A request over a WebSocket that is closed with 1001 is sent again over the next one. */
  async #frames(url: string): Promise<void> {
    while (!this.#isOver) {
      const socket = new WebSocket(url);
      const code = await new Promise<number | string>((resolve) => {
        const ask = () => {
          if (this.#isOver) socket.close(1000);
          else socket.send(CHAIN_ID);
        };
        socket.on('open', ask);
        socket.on('message', () => {
          this.seen.frames += 1;
          ask();
        });
        socket.on('error', (error) => {
          resolve(error.message);
        });
        socket.on('close', resolve);
      });
      if (code === 1001) this.seen.moved += 1;
      else if (code !== 1000) this.seen.failed.push(`socket: ${code}`);
    }
  }

  async stop(): Promise<Seen> {
    this.#isOver = true;
    await Promise.all(this.#lanes);
    return this.seen;
  }
}

/** What clients reach. */
type Front = { rpc: string; storage: string; allReady?: () => Promise<unknown> };

/** Two processes, of which one is restarted after the other, and clients in front of them. */
async function drill(inFront: (members: readonly Member[]) => Promise<Front>): Promise<Seen> {
  const redis = await startRedis();
  const members: Member[] = [];
  for (let n = 0; n < 2; n++) {
    const [rpc, storage, operations] = [await freePort(), await freePort(), await freePort()];
    members.push(new Member({ rpc, storage, operations }, redis.url));
  }
  await Promise.all(members.map((member) => member.start()));
  const key = await members[0]!.createKey();
  const { rpc, storage, allReady } = await inFront(members);
  const clients = new Clients(rpc, storage, key);
  for (let n = 0; n < RESTARTS; n++) {
    const member = members[n % members.length]!;
    const { requests } = clients.seen;
    // Whoever restarts processes waits until the balancer uses the one before again.
    await allReady?.();
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
    const seen = await drill(async (members) => {
      const servers = members.flatMap(({ ports }, i) => [
        [`keystead-${i + 1}:8545`, `${OWN_ADDRESS}:${ports.rpc}`],
        [`keystead-${i + 1}:5001`, `${OWN_ADDRESS}:${ports.storage}`],
      ]);
      const ports = { 8545: await freePort(), 5001: await freePort() };
      await startNginx(Object.fromEntries(servers) as Record<string, string>, ports);
      return { rpc: `http://${OWN_ADDRESS}:${ports[8545]}`, storage: `http://${OWN_ADDRESS}:${ports[5001]}` };
    });
    expectNoFailure(seen);
  },
  600_000,
);
