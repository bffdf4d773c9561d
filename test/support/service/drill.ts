import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { WebSocket } from 'ws';

import { runCli, startCli } from './cli';
import { makeFolder, writeFile } from './folder';
import { startNginx } from './nginx';
import { OWN_ADDRESS } from './own-address';
import { perRun } from '../nightly';
import { freePort, startRedis } from './redis';
import { untilOutput } from './until-output';

type Ports = { rpc: number; storage: number; operations: number };

/** A process that can be stopped and started again on its ports. */
export class Member {
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

  readonly #operations = (path: string) => `http://${OWN_ADDRESS}:${this.ports.operations}/${path}`;

  readonly ready = (part: string) => this.#operations(`readyz/${part}`);

  /** How many requests it has answered: JSON-RPC, and uploads. */
  async answered(): Promise<[requests: number, adds: number]> {
    const metrics = await (await fetch(this.#operations('metrics'))).text();
    const countOf = (series: RegExp) => Number(series.exec(metrics)?.[1] ?? 0);
    return [
      countOf(/^keystead_rpc_requests_total\{.*transport="http",outcome="ok".*\} (\d+)$/mu),
      countOf(/^keystead_storage_requests_total\{.*command="add",status="200".*\} (\d+)$/mu),
    ];
  }

  async start(): Promise<void> {
    this.#child = startCli(this.#dataDir, ['serve', '--json', '--config', this.config]);
    await untilOutput(this.#child, /^\{.*\}\n/mu);
    for (const part of ['chain', 'storage'])
      expect([part, (await fetch(this.ready(part))).status]).toEqual([part, 200]);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** @returns Its exit code and signal. */
  async stop(): Promise<unknown> {
    const exited = once(this.#child as ChildProcess, 'exit');
    this.signal('SIGTERM');
    return exited;
  }

  async createKey(): Promise<{ key: string; secret: string }> {
    const { json } = await runCli(this.#dataDir, ['keys', 'create', '--config', this.config, '--json']);
    return json.at(-1) as { key: string; secret: string };
  }
}

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';
const FORM = '--XbX\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nsteady\r\n--XbX--\r\n';

/** The pause of a client between an answer and its next request: without any, clients take all of the processor. */
const PAUSE_MS = perRun(50, 0);

/** What clients reach. */
export type Addresses = { readonly rpc: string; readonly storage: string };

/** What the clients saw. */
export type Seen = { requests: number; adds: number; frames: number; moved: number; failed: string[] };

const running = new Set<Clients>();

afterEach(() => {
  // A test that has failed did not stop them.
  for (const clients of running) void clients.stop();
});

/** Clients that ask for one thing after the other, and take no failure for an answer. */
export class Clients {
  readonly seen: Seen = { requests: 0, adds: 0, frames: 0, moved: 0, failed: [] };
  /** How many requests each client has made so far. */
  readonly #turns: number[] = [];
  readonly #lanes: Promise<void>[] = [];
  readonly #patienceMs: number;
  #isOver = false;

  /** @param patienceMs - How long a client waits for an answer. */
  constructor(
    { rpc, storage }: Addresses,
    { key, secret }: { key: string; secret: string },
    { patienceMs = 2 ** 31 - 1 } = {},
  ) {
    this.#patienceMs = patienceMs;
    running.add(this);
    const json = { 'content-type': 'application/json' };
    const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
    const form = { authorization, 'content-type': 'multipart/form-data; boundary=XbX' };
    const ask = (agent: Agent | false) => this.#post('requests', `${rpc}/v3/${key}`, json, CHAIN_ID, '"0x1"', agent);
    const add = (agent: Agent | false) => this.#post('adds', `${storage}/api/v0/add`, form, FORM, '"Hash":"Qm', agent);
    for (const lane of [ask, add])
      for (const agent of [new Agent({ keepAlive: true, maxSockets: 1 }), false as const])
        this.#begin((onTurn) => this.#repeat(() => lane(agent), onTurn));
    this.#begin((onTurn) => this.#frames(`${rpc.replace('http', 'ws')}/ws/v3/${key}`, onTurn));
  }

  #begin(run: (onTurn: () => void) => Promise<void>): void {
    const number = this.#turns.push(0) - 1;
    this.#lanes.push(
      run(() => {
        this.#turns[number]! += 1;
      }),
    );
  }

  /** How many requests can be under way at a time. */
  get count(): number {
    return this.#lanes.length;
  }

  /** Resolves once every client has made so many more requests. */
  async more(turns: number): Promise<void> {
    const goal = this.#turns.map((turn) => turn + turns);
    while (this.#turns.some((turn, number) => turn < goal[number]!)) await delay(10);
  }

  async #repeat(run: () => Promise<void>, onTurn: () => void): Promise<void> {
    while (!this.#isOver) {
      await run();
      onTurn();
      await delay(PAUSE_MS);
    }
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
      const sent = request(url, {
        method: 'POST',
        agent,
        // Those without an agent send the body in chunks.
        headers: agent === false ? headers : { ...headers, 'content-length': body.length },
        signal: AbortSignal.timeout(this.#patienceMs),
      });
      sent.write(body);
      sent.end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      const answer = await text(response);
      this.seen[kind] += 1;
      if (!answer.includes(expected)) this.seen.failed.push(`${kind}: ${response.statusCode} ${answer.slice(0, 200)}`);
    } catch (error) {
      this.seen.failed.push(`${kind}: ${String(error)}`);
    }
  }

  /** A request over a WebSocket that is closed with 1001 is sent again over the next one. */
  async #frames(url: string, onTurn: () => void): Promise<void> {
    while (!this.#isOver) {
      const socket = new WebSocket(url);
      let patience: NodeJS.Timeout | undefined;
      const wait = () => {
        clearTimeout(patience);
        patience = setTimeout(() => {
          socket.terminate();
        }, this.#patienceMs).unref();
      };
      wait();
      const code = await new Promise<number | string>((resolve) => {
        const ask = () => {
          // Closed during the pause.
          if (socket.readyState !== WebSocket.OPEN) return;
          if (this.#isOver) socket.close(1000);
          else socket.send(CHAIN_ID);
          wait();
        };
        socket.on('open', ask);
        socket.on('message', () => {
          this.seen.frames += 1;
          onTurn();
          setTimeout(ask, PAUSE_MS);
        });
        socket.on('error', (error) => {
          resolve(error.message);
        });
        socket.on('close', resolve);
      });
      clearTimeout(patience);
      onTurn();
      if (code === 1001) this.seen.moved += 1;
      else if (code !== 1000) this.seen.failed.push(`socket: ${code}`);
    }
  }

  async stop(): Promise<Seen> {
    this.#isOver = true;
    running.delete(this);
    await Promise.all(this.#lanes);
    return this.seen;
  }
}

/** Starts processes that share a Redis. */
export async function startMembers(count: number): Promise<Member[]> {
  const redis = await startRedis();
  const members: Member[] = [];
  for (let n = 0; n < count; n++) {
    const [rpc, storage, operations] = [await freePort(), await freePort(), await freePort()];
    members.push(new Member({ rpc, storage, operations }, redis.url));
  }
  await Promise.all(members.map((member) => member.start()));
  return members;
}

/** Starts nginx, as it is shipped, in front of processes. */
export async function nginxInFront(members: readonly Member[]): Promise<Addresses> {
  const [rpc, storage] = [await freePort(), await freePort()];
  await startNginx(
    members.map(({ ports }) => ({ 8545: ports.rpc, 5001: ports.storage })),
    { 8545: rpc, 5001: storage },
  );
  return { rpc: `http://${OWN_ADDRESS}:${rpc}`, storage: `http://${OWN_ADDRESS}:${storage}` };
}
