import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { load, loadAll } from 'js-yaml';
import { pino } from 'pino';

import { rpcMetrics } from '../../../src/service/chain/metrics';
import { parseConfig } from '../../../src/service/cli/config';
import { startOperations } from '../../../src/service/operations/server';
import { watchDependencies } from '../../../src/service/runtime/dependencies';
import { meterDisk } from '../../../src/service/runtime/disk-metrics';
import { JoinedRegistry } from '../../../src/service/runtime/joined-registry';
import type { RunningPart } from '../../../src/service/part';
import { StorageMetrics } from '../../../src/service/storage/http/metrics';
import { testNightly } from '../../support/nightly';
import { noNginx, startNginx } from '../../support/service/nginx';
import { OWN_ADDRESS } from '../../support/service/own-address';
import { freePort } from '../../support/service/redis';

const ROOT = resolve(__dirname, '../../..');
const DEPLOY = join(ROOT, 'deploy');
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');
const parsed = (name: string): unknown => JSON.parse(read(name));

type Container = {
  readonly image: string;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly args: readonly string[];
  readonly resources: { readonly limits: object; readonly requests: object };
  readonly securityContext: object;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
} & Readonly<Record<'readinessProbe' | 'livenessProbe' | 'startupProbe', Probe>>;
type Probe = {
  readonly httpGet?: { path: string; port: string };
  readonly tcpSocket?: { port: string };
  readonly periodSeconds: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold: number;
};
type Manifest = { readonly kind: string; readonly metadata: { readonly name: string } } & Record<string, unknown>;

const manifests = loadAll(read('kubernetes/keystead.yaml')) as Manifest[];
const manifest = (kind: string): Manifest => manifests.find((one) => one.kind === kind)!;
const pod = (
  manifest('Deployment') as unknown as {
    spec: {
      replicas: number;
      template: {
        spec: {
          containers: [Container];
          volumes: { name: string }[];
          terminationGracePeriodSeconds: number;
          securityContext: object;
        };
      };
    };
  }
).spec;
const { template } = pod;
const [container] = template.spec.containers;
const configMap = (manifest('ConfigMap') as unknown as { data: Record<string, string> }).data;

describe('the configurations in deploy/', () => {
  it.each([
    ['config.json', parsed('config.json')],
    ['the ConfigMap for Kubernetes', JSON.parse(configMap['config.json']!) as unknown],
  ])('%s is valid, and keeps keys and files where several processes find them', (_name, value) => {
    expect(parseConfig(value)).toMatchObject({ ledger: 'redis', storage: { s3: { bucket: 'keystead' } } });
  });
});

describe('deploy/nginx.conf', () => {
  (noNginx === undefined ? it : it.skip)(
    `refuses a JSON-RPC body that no process takes, before it is on the disk${noNginx ? ` (${noNginx})` : ''}`,
    async () => {
      const [rpc, storage, nobody] = [await freePort(), await freePort(), await freePort()];
      await startNginx([{ 8545: nobody, 5001: nobody }], { 8545: rpc, 5001: storage });
      const answer = (bytes: number) =>
        fetch(`http://${OWN_ADDRESS}:${rpc}/`, { method: 'POST', body: Buffer.alloc(bytes) });
      expect((await answer(7 << 20)).status).toBe(413);
      // The service itself explains why it refuses a body that is a little too long.
      expect((await answer((5 << 20) + 1)).status).toBeGreaterThanOrEqual(500);
    },
  );
});

describe('deploy/compose.yaml', () => {
  type Service = {
    image: string;
    command?: string[];
    volumes?: string[];
    ports?: string[];
    depends_on?: Record<string, { condition: string }>;
  };
  const { services } = load(read('compose.yaml'), { schema: undefined }) as { services: Record<string, Service> };

  it('runs two processes of the service on one configuration, and pins what it does not build', () => {
    expect(Object.keys(services)).toEqual(['keystead-1', 'keystead-2', 'balancer', 'redis', 's3', 'bucket']);
    for (const { image } of Object.values(services)) expect(image).toMatch(/^keystead$|:[v\d][\w.-]+$/u);
    for (const name of ['keystead-1', 'keystead-2', 'bucket'])
      expect(services[name]!.volumes).toContain('./config.json:/etc/keystead/config.json:ro');
  });

  it('creates the bucket before a process starts', () => {
    expect(services.bucket!.command!.slice(0, 2)).toEqual(['storage', 'create-bucket']);
    for (const name of ['keystead-1', 'keystead-2'])
      expect(services[name]!.depends_on).toMatchObject({ bucket: { condition: 'service_completed_successfully' } });
  });

  it('mounts files that exist', () => {
    const files = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.filter((volume) => volume.startsWith('./')).map((volume) => volume.split(':')[0]!),
    );
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect({ file, exists: existsSync(join(DEPLOY, file)) }).toEqual({ file, exists: true });
  });

  it('waits for an answer longer than the service takes for one', () => {
    const { rpc, storage } = parseConfig(parsed('config.json'));
    const [forRpc, forStorage] = [...read('nginx.conf').matchAll(/^ {4}proxy_read_timeout (\d+)([sm]);/gmu)].map(
      ([, count, unit]) => Number(count) * (unit === 'm' ? 60_000 : 1000),
    );
    expect(forRpc).toBeGreaterThan(rpc.limits.answerMs);
    expect(forStorage).toBeGreaterThan(storage.limits.requestSeconds * 1000);
  });

  it('balances the ports that the configuration names', () => {
    const { rpc, storage } = parseConfig(parsed('config.json'));
    const servers = [...read('nginx.conf').matchAll(/^ *server (keystead-\d:\d+) /gmu)].map(([, server]) => server);
    // Each port in two blocks.
    const ports = [rpc.port, storage.port, rpc.port, storage.port];
    expect(servers).toEqual(ports.flatMap((port) => [`keystead-1:${port}`, `keystead-2:${port}`]));
    expect(services.balancer!.ports).toEqual([`127.0.0.1:${rpc.port}:8545`, `127.0.0.1:${storage.port}:5001`]);
  });
});

describe('deploy/kubernetes', () => {
  const { rpc, storage, shutdownDelayMs } = parseConfig(JSON.parse(configMap['config.json']!));

  it('exposes the ports of the configuration, and probes those that exist', () => {
    expect(container.ports).toEqual([
      { name: 'rpc', containerPort: rpc.port },
      { name: 'storage', containerPort: storage.port },
      { name: 'operations', containerPort: rpc.operations!.port },
    ]);
    const names = container.ports.map(({ name }) => name);
    for (const { httpGet, tcpSocket } of [container.readinessProbe, container.livenessProbe, container.startupProbe])
      expect(names).toContain((httpGet ?? tcpSocket)!.port);
    expect(container.readinessProbe.httpGet!.path).toBe('/readyz');
    expect(container.livenessProbe.httpGet!.path).toBe('/livez');
    // As docs/operate.md says of a process that hangs.
    const { readinessProbe, livenessProbe } = container;
    const secondsOf = (probe: Probe) => probe.periodSeconds * probe.failureThreshold + (probe.timeoutSeconds ?? 1);
    expect([secondsOf(readinessProbe), secondsOf(livenessProbe)]).toEqual([12, 62]);
  });

  it('gives requests under way the time that the service takes to finish them', () => {
    const { seconds } = container.lifecycle.preStop.sleep;
    expect(seconds).toBeGreaterThan(0);
    const stop = seconds * 1000 + shutdownDelayMs + rpc.drainMs * 2;
    expect(template.spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(stop);
  });

  it('runs several processes without privileges, within limits', () => {
    expect(pod.replicas).toBeGreaterThan(1);
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources.limits).toHaveProperty('memory');
    expect(container.resources.requests).toHaveProperty('cpu');
  });

  it('mounts volumes that are declared, and starts with the configuration that is mounted', () => {
    const declared = template.spec.volumes.map(({ name }) => name);
    for (const { name } of container.volumeMounts) expect(declared).toContain(name);
    const mounts = container.volumeMounts.map(({ mountPath }) => mountPath);
    expect(mounts).toContain(dirname(container.args[2]!));
    expect(mounts).toContain((JSON.parse(configMap['config.json']!) as { dataDir: string }).dataDir);
  });
});

describe('deploy/grafana', () => {
  const registry = new JoinedRegistry();
  rpcMetrics(registry);
  new StorageMetrics(registry).meterStore(() => Promise.resolve({ blocks: 0, blockBytes: 0, pins: 0 }));
  meterDisk(registry, DEPLOY);
  watchDependencies(registry, []);
  let operations: RunningPart;
  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    operations = await startOperations({ host: '127.0.0.1', port: 0, metrics: registry, log, parts: {} });
  });
  afterAll(() => operations.stop());

  it.each(['grafana/keystead.json', 'grafana/alerts.yaml'])(
    '%s uses only metrics that the service has',
    async (name) => {
      const known = (await registry.getMetricsAsJSON()).map((metric) => metric.name);
      const asked = [...new Set(read(name).match(/\bkeystead_\w+/gu))].map((metric) =>
        metric.replace(/_(?:bucket|count|sum)$/u, ''),
      );
      expect(asked.length).toBeGreaterThan(3);
      for (const metric of asked) expect(known).toContain(metric);
    },
  );

  it('every alert has a severity and a sentence, and a place in the runbook', () => {
    const { groups } = load(read('grafana/alerts.yaml')) as {
      groups: { rules: { alert: string; labels: object; annotations: { summary: string } }[] }[];
    };
    const runbook = readFileSync(join(ROOT, 'docs/runbook.md'), 'utf8');
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(3);
    for (const { alert, labels, annotations } of rules) {
      expect(labels).toHaveProperty('severity');
      expect(annotations.summary).not.toBe('');
      expect(runbook).toContain(`\`${alert}\``);
    }
  });
});

const ANALYZE = 'systemd-analyze';
const hasSystemd = spawnSync(ANALYZE, ['--version']).status === 0;

describe('deploy/keystead.service', () => {
  (hasSystemd ? it : it.skip)('is a valid unit (skipped without systemd-analyze)', () => {
    // Node need not be installed at the path that the unit names.
    const { stderr, status } = spawnSync(ANALYZE, ['verify', join(DEPLOY, 'keystead.service')], { encoding: 'utf8' });
    expect(stderr.replace(/^.*Command \/usr\/bin\/node is not executable.*\n/gmu, '')).toBe('');
    expect(status === 0 || /is not executable/u.test(stderr)).toBe(true);
  });
});

describe('deploy/Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  it('copies existing files, and does not run as root', () => {
    const [, first] = /^COPY (.*) \.\/$/mu.exec(dockerfile)!;
    for (const file of first!.split(' ')) expect(existsSync(join(ROOT, file))).toBe(true);
    expect(dockerfile).toMatch(/^FROM \S+:nonroot$/mu);
  });

  testNightly('contains libsql with its dependencies, and the program runs with nothing else', async () => {
    const image = mkdtempSync(join(tmpdir(), 'image-'));
    const modules = /cp -r ((?:node_modules\/\S+ ?)+)\/out/u.exec(dockerfile)![1]!.trim().split(' ');
    spawnSync('npm', ['run', 'build:service', '--silent'], { cwd: ROOT });
    for (const name of ['bin', 'dist-service', 'package.json', ...modules]) {
      mkdirSync(dirname(join(image, name)), { recursive: true });
      cpSync(join(ROOT, name), join(image, name), { recursive: true, dereference: true });
    }
    const program = join(image, 'bin/keystead.js');
    const imported = spawnSync(process.execPath, [
      program,
      'archive',
      'import',
      '--sample',
      '--data-dir',
      join(image, 'data'),
    ]);
    expect(String(imported.stdout)).toContain('671 blocks and 199 uncles');
    const args = ['serve', '--data-dir', join(image, 'data'), '--rpc-port', '0', '--storage-port', '0', '--json'];
    const child = spawn(process.execPath, [program, ...args], {
      cwd: image,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    try {
      let printed = '';
      for await (const piece of child.stdout) {
        printed += String(piece);
        if (printed.includes('"secret"')) break;
      }
      const [url] = /http:\/\/127\.0\.0\.1:\d+/u.exec(printed)!;
      const { key } = /"key":"(?<key>\w+)"/u.exec(printed)!.groups!;
      const answer = await fetch(`${url}/v3/${key}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'eth_getUncleByBlockNumberAndIndex',
          params: ['0x29c', '0x0'],
        }),
      });
      expect(await answer.json()).toMatchObject({ result: { number: '0x299' } });
    } finally {
      child.kill();
    }
    expect(await exited).toEqual([0, null]);
  });
});
