import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { dump, load } from 'js-yaml';

import { runCli, startCli } from '../../support/service/cli';
import { makeFolder, writeFile } from '../../support/service/folder';
import { OWN_ADDRESS } from '../../support/service/own-address';
import { noPrometheus } from '../../support/service/prometheus';
import { noRedis, startRedis } from '../../support/service/redis';
import { untilOutput } from '../../support/service/until-output';

jest.setTimeout(900_000);

const GRAFANA = resolve(__dirname, '../../../deploy/grafana');

type Alert = { labels: Record<string, string>; state: string };

let prometheus: ChildProcess | undefined;
afterEach(async () => {
  if (prometheus?.exitCode !== null) return;
  prometheus.kill('SIGKILL');
  await once(prometheus, 'exit');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, OWN_ADDRESS);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Prometheus with the rules and the configuration of `deploy/grafana`, which scrapes this address every second. */
async function startPrometheus(target: string): Promise<(path: string) => Promise<unknown>> {
  const folder = makeFolder();
  copyFileSync(join(GRAFANA, 'alerts.yaml'), join(folder, 'alerts.yaml'));
  const config = load(readFileSync(join(GRAFANA, 'prometheus.yml'), 'utf8')) as {
    global: object;
    scrape_configs: [{ static_configs: { targets: string[] }[] }];
  };
  config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  config.scrape_configs[0].static_configs = [{ targets: [target] }];
  const file = writeFile('prometheus.yml', dump(config), folder);
  const port = await freePort();
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${OWN_ADDRESS}:${port}`,
  ];
  // It logs to stderr.
  const child = spawn('sh', ['-c', 'exec prometheus "$@" 2>&1', 'sh', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  prometheus = child;
  await untilOutput(child, /Server is ready to receive web requests/u);
  return async (path) => {
    const answer = await fetch(`http://${OWN_ADDRESS}:${port}/api/v1/${path}`);
    return ((await answer.json()) as { data: unknown }).data;
  };
}

const why = noRedis ?? noPrometheus;

(why === undefined ? test : test.skip)(
  `a Redis that stops on a site with few requests rings the alarms of a real Prometheus, and they end with it${why === undefined ? '' : ` (${why})`}`,
  async () => {
    const durable = makeFolder();
    const redis = await startRedis(undefined, durable);
    const dataDir = makeFolder();
    const config = {
      ledger: 'redis',
      redis: { url: redis.url },
      rpc: { port: 0, operations: { port: 0 } },
      storage: { port: 0 },
    };
    const path = writeFile('config.json', JSON.stringify(config));
    const created = await runCli(dataDir, ['keys', 'create', '--json', '--config', path]);
    const { key } = created.json.at(-1) as { key: string };
    const child = startCli(dataDir, ['serve', '--json', '--config', path]);
    const [line] = await untilOutput(child, /^\{.*\}$/mu);
    const { addresses } = JSON.parse(line) as { addresses: { label: string; url: string }[] };
    const url = (label: string) => addresses.find((address) => address.label === label)?.url ?? '';
    const ask = async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${url('RPC')}/v3/${key}`, { method: 'POST', headers, body })).status;
    };
    const query = await startPrometheus(new URL(url('Operations')).host);
    const alerts = async () => ((await query('alerts')) as { alerts: Alert[] }).alerts;
    const namesOf = (found: readonly Alert[]) => new Set(found.map(({ labels }) => labels['alertname'] ?? ''));
    const until = async (holds: (found: readonly Alert[]) => boolean) => {
      for (let found = await alerts(); !holds(found); found = await alerts()) {
        await ask();
        await delay(2000);
      }
    };
    const value = async (metric: string) =>
      (
        (await query(`query?query=${encodeURIComponent(metric)}`)) as { result: { value: [number, string] }[] }
      ).result.map((each) => each.value[1]);

    while ((await value('keystead_ready')).length < 2) await delay(500);
    expect(await ask()).toBe(200);
    expect(await value('keystead_ready')).toEqual(['1', '1']);
    expect([...namesOf(await alerts())]).toEqual([]);

    redis.process.kill('SIGKILL');
    const expected = ['KeysteadNotReady', 'KeysteadDependencyDown', 'KeysteadUnavailable'];
    await until((found) => {
      const firing = namesOf(found.filter(({ state }) => state === 'firing'));
      return expected.every((name) => firing.has(name));
    });
    expect(await ask()).toBe(503);
    expect(await value('keystead_dependency_up{dependency="redis",use!="noeviction"}')).toEqual(['0', '0']);

    await startRedis(redis.port, durable);
    await until((found) => !namesOf(found).has('KeysteadNotReady') && !namesOf(found).has('KeysteadDependencyDown'));
    expect(await ask()).toBe(200);
  },
);
