import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { StorageClient } from '../../src/clients/storage';
import { archiveDir } from '../../src/service/chain/archive/catalog';
import { importArchive } from '../../src/service/chain/archive/import';
import { localPool } from '../../src/service/chain/archive/pool';
import { findSources } from '../../src/service/chain/archive/sniff';
import { MAX_LEASE } from '../../src/service/chain/credits/leased';
import { connectRedis } from '../../src/service/runtime/redis';
import { runCli, startCli } from '../support/service/cli';
import { makeFolder } from '../support/service/folder';
import { startRedis, type TestRedis } from '../support/service/redis';
import { untilOutput } from '../support/service/until-output';
import { startBucket } from '../support/storage/s3';
import { noBucket } from '../support/storage/s3-process';

/** Rounds of four failures each. `npm run test:soak` runs the default; more by the environment. */
const ROUNDS = Number(process.env['KEYSTEAD_SOAK_ROUNDS'] ?? 1);
/** Requests that must be answered between two failures. */
const BETWEEN = { lookups: 200, adds: 20 };
const PRICE = 150;
const NETWORK = 'hivechain';
const UNCLE = { jsonrpc: '2.0', id: 1, method: 'eth_getUncleByBlockNumberAndIndex', params: ['0x1d', '0x0'] };

type Addresses = { rpc: string; storage: string };

/** One process of the service, which can be killed and started again at other ports. */
class Replica {
  readonly #dataDir: string;
  readonly #config: string;
  #child: ChildProcess | undefined;
  addresses: Addresses | undefined;

  constructor(dataDir: string, config: object) {
    this.#dataDir = dataDir;
    this.#config = join(dataDir, 'config.json');
    writeFileSync(this.#config, JSON.stringify({ ...config, dataDir }));
  }

  async start(): Promise<void> {
    this.#child = startCli(this.#dataDir, ['serve', '--config', this.#config, '--json']);
    const [line] = await untilOutput(this.#child, /^\{.*\}\n/mu);
    const { addresses } = JSON.parse(line) as { addresses: { label: string; url: string }[] };
    const url = (label: string) => addresses.find((address) => address.label === label)?.url ?? '';
    this.addresses = { rpc: url('RPC'), storage: url('Storage') };
  }

  /** SIGKILL: it cannot clean up. */
  async kill(): Promise<void> {
    this.addresses = undefined;
    const child = this.#child as ChildProcess;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async createKey(): Promise<{ key: string; secret: string }> {
    const { json } = await runCli(this.#dataDir, ['keys', 'create', '--config', this.#config, '--json']);
    return json.at(-1) as { key: string; secret: string };
  }
}

/** What the clients saw. */
const seen = {
  lookups: 0,
  adds: 0,
  /** Look-ups whose answer was lost, so that nobody knows whether they were charged. */
  unknown: 0,
  /** Look-ups that were refused while something was down, and are free. */
  refused: 0,
  failedAdds: 0,
  wrong: [] as string[],
};
const stored = new Map<string, number>();
let running = true;

const contentOf = (number: number) => {
  const seed = createHash('sha512').update(String(number)).digest();
  return Buffer.concat(Array.from({ length: 1 + (number % 500) }, (_, i) => Buffer.concat([seed, Buffer.of(i & 255)])));
};

/** The replicas take turns; those that are down are left out. */
async function addressOf(replicas: readonly Replica[], turn: number): Promise<Addresses> {
  for (let at = turn; ; at++) {
    const { addresses } = replicas[at % replicas.length] as Replica;
    if (addresses) return addresses;
    await new Promise(setImmediate);
  }
}

async function lookUp(replicas: readonly Replica[], key: string, turn: number): Promise<void> {
  const { rpc } = await addressOf(replicas, turn);
  let status: number;
  let answer: { result?: { number?: string }; error?: object };
  try {
    const response = await fetch(`${rpc}/v3/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(UNCLE),
    });
    status = response.status;
    answer = (await response.json()) as typeof answer;
  } catch {
    seen.unknown += 1;
    return;
  }
  if (status === 200 && answer.result?.number === '0x1c') seen.lookups += 1;
  else if (status === 503) seen.refused += 1;
  else seen.wrong.push(`${status} ${JSON.stringify(answer)}`);
}

let added = 0;

async function addFile(replicas: readonly Replica[], credentials: { key: string; secret: string }, turn: number) {
  const { storage } = await addressOf(replicas, turn);
  const number = added++;
  try {
    const { cid } = await new StorageClient({ url: storage, ...credentials }).add(contentOf(number));
    stored.set(cid.toString(), number);
    seen.adds += 1;
  } catch {
    seen.failedAdds += 1;
  }
}

async function lane(work: (turn: number) => Promise<void>): Promise<void> {
  for (let turn = 0; running; turn++) await work(turn);
}

/** Resolves once enough requests have been answered by whatever is up. */
async function untilAnswered(): Promise<void> {
  const [lookups, adds] = [seen.lookups + BETWEEN.lookups, seen.adds + BETWEEN.adds];
  while (seen.lookups < lookups || seen.adds < adds) await new Promise((resolve) => setTimeout(resolve, 20));
}

const maybe = noBucket === undefined ? test : test.skip;

maybe(
  `two processes, their Redis and their bucket are killed in turn: what was acknowledged is readable, debits are exact but for lost leases${noBucket === undefined ? '' : ` (${noBucket})`}`,
  async () => {
    const folder = makeFolder();
    let redis: TestRedis = await startRedis(undefined, folder);
    const bucket = await startBucket();
    const { prefix: _prefix, ...s3 } = bucket.options;
    const config = {
      ledger: 'redis',
      redis: { url: redis.url },
      credits: { daily: Number.MAX_SAFE_INTEGER },
      rpc: { port: 0, limits: { keyPerSecond: 1e9, keyBurst: 1e9 } },
      storage: { port: 0, s3 },
      log: { level: 'error' },
      networks: [{ name: NETWORK, chainId: 7, lastPowBlock: 35 }],
    };
    const folders = [makeFolder(), makeFolder()];
    const [first, second] = folders.map((dataDir) => archiveDir(dataDir, NETWORK)) as [string, string];
    const found = findSources([join(__dirname, '../service/data/hivechain.rlp')]);
    await importArchive({ dir: first, network: NETWORK, found, pool: localPool });
    mkdirSync(second, { recursive: true });
    cpSync(first, second, { recursive: true });
    const replicas = folders.map((dataDir) => new Replica(dataDir, config)) as [Replica, Replica];
    const credentials = await replicas[0].createKey();
    for (const replica of replicas) await replica.start();

    const lanes = [
      ...Array.from({ length: 8 }, () => lane((turn) => lookUp(replicas, credentials.key, turn))),
      ...Array.from({ length: 4 }, () => lane((turn) => addFile(replicas, credentials, turn))),
    ];
    const failures = [
      ...replicas.map((replica) => async () => {
        await replica.kill();
        await untilAnswered();
        await replica.start();
      }),
      async () => {
        redis.process.kill('SIGKILL');
        await once(redis.process, 'exit');
        const refused = seen.refused + 20;
        while (seen.refused < refused) await new Promise((resolve) => setTimeout(resolve, 20));
        redis = await startRedis(redis.port, folder);
      },
      async () => {
        await bucket.leave();
        const lookups = seen.lookups + BETWEEN.lookups;
        while (seen.lookups < lookups) await new Promise((resolve) => setTimeout(resolve, 20));
        await bucket.back();
      },
    ];
    for (let round = 0; round < ROUNDS; round++) {
      for (const fail of failures) {
        await untilAnswered();
        await fail();
        await untilAnswered();
      }
    }
    running = false;
    await Promise.all(lanes);
    expect(seen.wrong).toEqual([]);

    const client = await connectRedis(redis.url, () => undefined);
    const used = async () => {
      let sum = 0;
      for (const name of await client.keys('{keystead:credits}:*:????-??-??')) sum += Number(await client.get(name));
      return sum / PRICE;
    };
    /** Resolves with the debits once both processes, at rest, have given their leases back. */
    const settled = async (most: number): Promise<number> => {
      for (let before = -1, debits = await used(); ; before = debits, debits = await used()) {
        if (debits === before && debits <= most) return debits;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    // A debit whose answer was lost with Redis is taken back soon after. A process that is killed loses its lease.
    const lost = (ROUNDS * replicas.length * MAX_LEASE) / PRICE;
    const before = await settled(seen.lookups + seen.unknown + lost);
    expect(before).toBeGreaterThanOrEqual(seen.lookups);
    const answered = seen.lookups;
    for (let turn = 0; turn < 100; turn++) await lookUp(replicas, credentials.key, turn);
    expect(seen.lookups - answered).toBe(100);
    expect(await settled(Infinity)).toBe(before + 100);
    await client.close();

    for (const replica of replicas) {
      const { storage } = replica.addresses as Addresses;
      const reader = new StorageClient({ url: storage, ...credentials });
      for (const [cid, number] of stored)
        if (Buffer.compare(await reader.read(cid), contentOf(number)) !== 0) seen.wrong.push(cid);
    }
    expect(seen.wrong).toEqual([]);
    console.log(
      `${ROUNDS * failures.length} failures: ${answered} look-ups, ${before} debits, ${seen.unknown} answers lost, ` +
        `${seen.refused} refused; ${stored.size} files stored and read from both processes, ${seen.failedAdds} adds failed`,
    );
  },
  1_800_000,
);
