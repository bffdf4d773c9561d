import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';

import { runCli, startCli } from '../../support/service/cli';
import { makeFolder, writeFile } from '../../support/service/folder';
import { withinOneDay } from '../../support/service/one-day';
import { noRedis, startRedis } from '../../support/service/redis';
import { openSocket } from '../../support/service/socket';
import { untilOutput } from '../../support/service/until-output';

const DOC = readFileSync(resolve(__dirname, '../../../docs/processes.md'), 'utf8');
const PEERS = resolve(__dirname, '../storage/peers');
const hasS3 = existsSync(join(PEERS, 'node_modules/s3rver'));

type Config = Record<string, unknown> & { networks: { hosts: string[] }[]; storage: Record<string, unknown> };

/** The configuration that docs/processes.md gives for several processes. */
function documentedConfig(): Config {
  const section = DOC.slice(DOC.indexOf('## Configuration'));
  const [, json = ''] = /```json\n(.*?)```/su.exec(section) ?? [];
  return JSON.parse(json) as Config;
}

const servers: { close: () => unknown }[] = [];
let s3: ChildProcess | undefined;
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  if (s3?.exitCode === null) {
    s3.kill('SIGKILL');
    await once(s3, 'exit');
  }
});

/** A simulated load balancer: connections go in turn to the processes that accept them. */
async function startBalancer(ports: readonly number[]): Promise<number> {
  let turn = 0;
  const server = createServer((client) => {
    const attempt = (left: number) => {
      if (left === 0) {
        client.destroy();
        return;
      }
      const upstream = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1');
      upstream.once('error', () => {
        attempt(left - 1);
      });
      upstream.once('connect', () => {
        upstream.removeAllListeners('error').on('error', () => client.destroy());
        client.on('error', () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      });
    };
    attempt(ports.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

async function ask(port: number, host: string, key: string): Promise<{ status: number; result: unknown }> {
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `/v3/${key}`,
    headers: { host, 'content-type': 'application/json' },
    agent: false,
  });
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { result } = JSON.parse(await text(response)) as { result?: unknown };
  return { status: response.statusCode ?? 0, result };
}

const maybe = noRedis === undefined && hasS3 ? test : test.skip;
const why = noRedis ?? (hasS3 ? undefined : 'skipped: s3rver is not installed, see scripts/install-storage-peers.sh');

maybe(
  `two processes as documented, behind a load balancer${why === undefined ? '' : ` (${why})`}`,
  async () => {
    const redis = await startRedis();
    s3 = spawn(process.execPath, ['run-s3.mjs', makeFolder(), '127.0.0.1', '0'], {
      cwd: PEERS,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [, s3Port] = await untilOutput(s3, /ready (\d+)/u);
    const documented = documentedConfig();
    const [mainnet = '', sepolia = ''] = documented.networks.flatMap(({ hosts }) => hosts);
    // Nobody listens there: the nodes are checked, and not needed.
    const networks = JSON.parse(
      JSON.stringify(documented.networks).replace(/:\/\/([\w-]+)\.internal:\d+/gu, '://127.0.0.1:1/$1'),
    ) as Config['networks'];
    const start = async () => {
      const dataDir = makeFolder();
      const config = {
        ...documented,
        networks,
        dataDir,
        redis: { url: redis.url },
        rpc: { host: '127.0.0.1', port: 0, operations: { port: 0 } },
        storage: {
          ...documented.storage,
          host: '127.0.0.1',
          port: 0,
          s3: {
            ...(documented.storage['s3'] as object),
            endpoint: `http://127.0.0.1:${s3Port}`,
            bucket: 'files',
            accessKeyId: 'S3RVER',
            secretAccessKey: 'S3RVER',
          },
        },
      };
      const path = writeFile('config.json', JSON.stringify(config), dataDir);
      const child = startCli(dataDir, ['serve', '--json', '--config', path]);
      const [line] = await untilOutput(child, /^\{.*\}$/mu);
      const { addresses } = JSON.parse(line) as { addresses: { label: string; url: string }[] };
      const url = (label: string) => addresses.find((address) => address.label === label)?.url ?? '';
      return { path, dataDir, child, port: Number(new URL(url('RPC')).port), url };
    };
    const [one, two] = [await start(), await start()];
    const balancer = await startBalancer([one.port, two.port]);

    // The credits pay for exactly twenty requests of 5 credits, whichever process they reach.
    const secret = await withinOneDay(async () => {
      const created = await runCli(one.dataDir, ['keys', 'create', '--credits', '100', '--json', '--config', one.path]);
      const poor = created.json.at(-1) as { key: string; secret: string };
      // In pairs, because connections alternate between the processes: each process is asked for both networks.
      const hosts = Array.from({ length: 40 }, (_, i) => (i % 4 < 2 ? mainnet : sepolia));
      const answers = await Promise.all(
        hosts.map(async (host) => ({ host, ...(await ask(balancer, host, poor.key)) })),
      );
      const paid = answers.filter(({ status }) => status === 200);
      expect(paid.length).toBe(20);
      expect(answers.filter(({ status }) => status === 402).length).toBe(20);
      expect(paid.map(({ result }) => result)).toEqual(paid.map(({ host }) => (host === mainnet ? '0x1' : '0xaa36a7')));
      return poor.secret;
    });
    for (const { url } of [one, two]) {
      expect(await (await fetch(`${url('Operations')}/metrics`)).text()).toMatch(
        /keystead_rpc_requests_total\{[^}]*\} \d/u,
      );
      expect((await fetch(`${url('Operations')}/health`)).status).toBe(200);
    }

    // Files stored through one process can be read through the other.
    const rich = await runCli(two.dataDir, ['keys', 'create', '--json', '--config', two.path]);
    const other = rich.json.at(-1) as { key: string; secret: string };
    const headers = { authorization: `Basic ${Buffer.from(`${other.key}:${other.secret}`).toString('base64')}` };
    const form = new FormData();
    form.append('file', new Blob(['shared by two']), 'f');
    const added = await fetch(`${one.url('Storage')}/api/v0/add`, { method: 'POST', headers, body: form });
    const { Hash } = (await added.json()) as { Hash: string };
    // The storage service has a thread of its own; its metrics are with those of the process.
    const metered = await (await fetch(`${one.url('Operations')}/metrics`)).text();
    expect(metered).toMatch(/^keystead_storage_requests_total\{listener="api",command="add",status="200"\} 1$/mu);
    expect(metered).toMatch(/^keystead_connections\{listener="storage"\} \d+$/mu);
    expect(metered).toMatch(/^process_start_time_seconds \d+$/mu);
    const read = await fetch(`${two.url('Storage')}/api/v0/cat?arg=${Hash}`, { method: 'POST', headers });
    expect(await read.text()).toBe('shared by two');
    expect(secret).not.toBe(other.secret);

    // WebSockets work too, and when one process dies, the other goes on answering.
    one.child.kill('SIGKILL');
    await once(one.child, 'exit');
    const socket = await openSocket(`ws://127.0.0.1:${balancer}/ws/v3/${other.key}`, { headers: { host: sepolia } });
    expect(await socket.ask({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })).toMatchObject({ result: '0xaa36a7' });
    expect(await ask(balancer, mainnet, other.key)).toEqual({ status: 200, result: '0x1' });

    redis.process.kill('SIGKILL');
    await once(redis.process, 'exit');
    expect((await ask(balancer, mainnet, other.key)).status).toBe(503);
    expect((await fetch(`${two.url('Operations')}/health`)).status).toBe(503);
  },
  180_000,
);
