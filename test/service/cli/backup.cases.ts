import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';

import { runCli, startCli } from '../../support/service/cli';
import { makeFolder, writeFile } from '../../support/service/folder';
import { withinOneDay } from '../../support/service/one-day';
import { noRedis, startRedis } from '../../support/service/redis';
import { noBucket, startS3, type S3Process } from '../../support/storage/s3-process';
import { untilOutput } from '../../support/service/until-output';

const SECTION = /^## Back up\n(.*?)^## /msu.exec(
  readFileSync(resolve(__dirname, '../../../docs/operate.md'), 'utf8'),
)![1]!;

/** The commands below a heading of the section: how to back up, and how to restore. */
function documented(heading: string): [backUp: string, restore: string] {
  const [, text = ''] = SECTION.split(`### ${heading}\n`);
  const blocks = [...text.split(/^### /mu)[0]!.matchAll(/^```sh\n(.*?)^```/gmsu)].map(([, block]) => block!);
  expect(blocks).toHaveLength(2);
  return blocks as [string, string];
}

/** Runs documented commands. */
async function run(commands: string, env: Record<string, string>): Promise<void> {
  // A folder of certificates that rclone cannot use.
  const { AWS_CA_BUNDLE: _, ...own } = process.env;
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], { env: { ...own, ...env } });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => output.push(String(piece)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${commands}\nended with ${code}:\n${output.join('')}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const has = (program: string) =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
/** Why tests are skipped that need a program, or undefined if they run. */
const lacking = (...programs: string[]) => {
  const missing = programs.filter((program) => !has(program));
  return missing.length === 0
    ? undefined
    : `skipped: ${missing.join(', ')} not installed, see scripts/install-test-services.sh`;
};
const testIf = (why: string | undefined) => (why === undefined ? test : test.skip);
const named = (name: string, why: string | undefined) => `${name}${why === undefined ? '' : ` (${why})`}`;

type Created = { key: string; secret: string };

/** A service of the command line. Without Redis, its first key was made by its first start. */
async function start(dataDir: string, more: Record<string, unknown> = {}) {
  const { storage, ...sections } = more as { storage?: object };
  const config = {
    dataDir,
    rpc: { port: 0, operations: { port: 0 } },
    storage: { port: 0, ...storage },
    ...sections,
  };
  const path = writeFile('config.json', JSON.stringify(config));
  const child = startCli(dataDir, ['serve', '--json', '--config', path]);
  const [line] = await untilOutput(child, /^\{.*\}$/mu);
  const printed = JSON.parse(line) as {
    addresses: { label: string; url: string }[];
    missing?: string[];
  } & Partial<Created>;
  const url = (label: string) => printed.addresses.find((address) => address.label === label)?.url ?? '';
  const headers = ({ key, secret }: Created) => ({
    authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
  });
  return {
    child,
    path,
    first: printed.key === undefined ? undefined : (printed as Created),
    missing: printed.missing ?? [],
    operations: url('Operations'),
    ask: async ({ key }: Pick<Created, 'key'>) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
      const type = { 'content-type': 'application/json' };
      return (await fetch(`${url('RPC')}/v3/${key}`, { method: 'POST', headers: type, body })).status;
    },
    add: async (key: Created, content: string) => {
      const form = new FormData();
      form.append('file', new Blob([content]), 'f');
      const answer = await fetch(`${url('Storage')}/api/v0/add`, { method: 'POST', headers: headers(key), body: form });
      return ((await answer.json()) as { Hash: string }).Hash;
    },
    cat: async (key: Created, cid: string) =>
      (await fetch(`${url('Storage')}/api/v0/cat?arg=${cid}`, { method: 'POST', headers: headers(key) })).text(),
    pins: async (key: Created) =>
      Object.keys(
        (
          (await (
            await fetch(`${url('Storage')}/api/v0/pin/ls`, { method: 'POST', headers: headers(key) })
          ).json()) as {
            Keys: object;
          }
        ).Keys,
      ),
    end: async (signal: 'SIGKILL' | 'SIGTERM') => {
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}
type Service = Awaited<ReturnType<typeof start>>;

/** Uses up a key of two requests, stores a file, and says how to recognize both. */
async function use(service: Service, dataDir: string) {
  const create = async (...options: string[]) => {
    const { json } = await runCli(dataDir, ['keys', 'create', ...options, '--json', '--config', service.path]);
    return json.at(-1) as Created;
  };
  const first = service.first ?? (await create());
  const spent = await create('--credits', '10');
  expect([await service.ask(spent), await service.ask(spent), await service.ask(spent)]).toEqual([200, 200, 402]);
  const cid = await service.add(first, 'kept for later');
  return async (restored: Service) => {
    expect(restored.first).toBeUndefined();
    expect(await restored.ask(first)).toBe(200);
    expect(await restored.ask(spent)).toBe(402);
    expect(await restored.cat(first, cid)).toBe('kept for later');
    expect(await restored.pins(first)).toContain(cid);
  };
}

describe('a backup, as documented, from an empty machine to the first answer', () => {
  const noTools = lacking('sqlite3', 'bash');
  testIf(noTools)(named('of a data directory', noTools), async () => {
    const [backUp, restore] = documented('Data directory');
    await withinOneDay(async () => {
      const [dataDir, backup, empty] = [makeFolder(), join(makeFolder(), 'backup'), join(makeFolder(), 'data')];
      const service = await start(dataDir);
      const expectRestored = await use(service, dataDir);
      await run(backUp, { data: dataDir, backup });
      await service.end('SIGKILL');
      rmSync(dataDir, { recursive: true });
      await run(restore, { data: empty, backup });
      await expectRestored(await start(empty));
    });
  });

  const noRedisTools = noRedis ?? lacking('redis-cli', 'bash', 'sqlite3');
  testIf(noRedisTools)(named('of Redis that keeps an append-only file', noRedisTools), async () => {
    const [backUp, restore] = documented('Redis');
    const [backUpFiles, restoreFiles] = documented('Data directory');
    await withinOneDay(async () => {
      const redis = await startRedis(undefined, makeFolder());
      const config = { ledger: 'redis', redis: { url: redis.url } };
      const [dataDir, backup, empty] = [makeFolder(), join(makeFolder(), 'backup'), join(makeFolder(), 'data')];
      const service = await start(dataDir, config);
      const expectRestored = await use(service, dataDir);
      await run(backUp, { redis: redis.url, backup });
      await run(backUpFiles, { data: dataDir, backup });
      await service.end('SIGKILL');
      redis.process.kill('SIGKILL');
      await once(redis.process, 'exit');

      // The snapshot alone, which such a Redis does not read.
      const wrong = makeFolder();
      writeFileSync(join(wrong, 'dump.rdb'), readFileSync(join(backup, 'keystead.rdb')));
      const second = await startRedis(redis.port, wrong);
      const refused = await runCli(dataDir, ['serve', '--config', service.path]);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('Redis: holds no keys, but held some before. Restore its backup');
      second.process.kill('SIGKILL');
      await once(second.process, 'exit');

      const folder = makeFolder();
      const port = String(await freePort());
      await run(restore.replaceAll('6390', port), { redis_data: folder, backup });
      await startRedis(redis.port, folder);
      await run(restoreFiles, { data: empty, backup });
      await expectRestored(await start(empty, config));
    });
  });

  const noRclone = noBucket ?? lacking('rclone', 'bash', 'sqlite3');
  testIf(noRclone)(named('of a bucket', noRclone), async () => {
    const [backUp, restore] = documented('Bucket').map((commands) => commands.replaceAll('s3:keystead/', 's3:files/'));
    const [backUpKeys, restoreKeys] = documented('Data directory');
    const [before, after] = [await startS3(), await startS3()];
    const rclone = ({ endpoint }: S3Process) => ({
      RCLONE_CONFIG_S3_TYPE: 's3',
      RCLONE_CONFIG_S3_PROVIDER: 'Other',
      RCLONE_CONFIG_S3_ENDPOINT: endpoint,
      RCLONE_CONFIG_S3_ACCESS_KEY_ID: 'S3RVER',
      RCLONE_CONFIG_S3_SECRET_ACCESS_KEY: 'S3RVER',
      // s3rver has only this one.
      RCLONE_CONFIG_S3_LIST_VERSION: '1',
    });
    await withinOneDay(async () => {
      const [dataDir, backup, empty] = [makeFolder(), join(makeFolder(), 'backup'), join(makeFolder(), 'data')];
      const service = await start(dataDir, { storage: inBucket(before) });
      const expectRestored = await use(service, dataDir);
      await run(backUp!, { ...rclone(before), backup });
      await run(backUpKeys, { data: dataDir, backup });
      await service.end('SIGKILL');
      await before.leave();
      await run(restore!, { ...rclone(after), backup });
      await run(restoreKeys, { data: empty, backup });
      await expectRestored(await start(empty, { storage: inBucket(after) }));
    });
  });
});

const inBucket = ({ endpoint }: S3Process) => ({
  s3: { endpoint, bucket: 'files', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
});

describe('a store that has lost what it held', () => {
  const refusal = async (dataDir: string, path: string, args: readonly string[]) => {
    const { code, stdout, stderr } = await runCli(dataDir, [...args, '--config', path]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    return stderr;
  };

  test('is named by an error in a data directory, and there is no new first key', async () => {
    const dataDir = makeFolder();
    const service = await start(dataDir);
    await use(service, dataDir);
    await service.end('SIGTERM');
    for (const [file, why] of [
      ['keys.sqlite', 'holds no keys, but held some before'],
      ['credits.sqlite', 'lost, it was there before'],
      ['storage/pins.sqlite', 'lost, it was there before'],
    ] as const) {
      const path = join(dataDir, file);
      const content = readFileSync(path);
      for (const end of ['-wal', '-shm', '']) rmSync(path + end, { force: true });
      const stderr = await refusal(dataDir, service.path, ['serve']);
      expect(stderr).toContain(`error: ${path}: ${why}. Restore its backup (docs/operate.md, "Back up")`);
      if (file === 'keys.sqlite')
        expect(await refusal(dataDir, service.path, ['keys', 'create'])).toContain(`${path}: ${why}`);
      // An empty file is no database either.
      writeFileSync(path, '');
      expect(await refusal(dataDir, service.path, ['serve'])).toContain(`${path}: ${why}`);
      rmSync(path, { force: true });
      writeFileSync(path, content, { mode: 0o600 });
    }
    // To begin anew is a decision.
    rmSync(join(dataDir, 'credits.sqlite'));
    rmSync(join(dataDir, 'held-stores.txt'));
    const anew = await start(dataDir);
    expect(anew.first).toBeUndefined();
    expect(await anew.ask(service.first!)).toBe(200);
  });

  test('files that were restored without the keys are not for a new first key', async () => {
    const dataDir = makeFolder();
    const service = await start(dataDir);
    await use(service, dataDir);
    await service.end('SIGTERM');
    const empty = makeFolder();
    mkdirSync(join(empty, 'storage'));
    writeFileSync(join(empty, 'storage/pins.sqlite'), readFileSync(join(dataDir, 'storage/pins.sqlite')));
    const path = writeFile('config.json', '{"storage":{"port":0},"rpc":{"port":0}}');
    for (const args of [['serve'], ['keys', 'create']])
      expect(await refusal(empty, path, args)).toContain(
        `${join(empty, 'keys.sqlite')}: holds no keys, but files are pinned by some. Restore the backup of the keys`,
      );
  });

  testIf(noBucket)(named('nor are those of a bucket, on a new machine', noBucket), async () => {
    const bucket = await startS3();
    const dataDir = makeFolder();
    const service = await start(dataDir, { storage: inBucket(bucket) });
    await use(service, dataDir);
    await service.end('SIGTERM');
    const empty = makeFolder();
    const path = writeFile(
      'config.json',
      JSON.stringify({ rpc: { port: 0 }, storage: { port: 0, ...inBucket(bucket) } }),
    );
    expect(await refusal(empty, path, ['serve'])).toContain('holds no keys, but files are pinned by some');
  });

  test('nor are those of a bucket that does not tell whether it holds any', async () => {
    const dataDir = makeFolder();
    const s3 = { endpoint: 'http://127.0.0.1:9', bucket: 'files' };
    const refused = async (credentials: object) => {
      const storage = { port: 0, s3: { ...s3, ...credentials } };
      const path = writeFile('config.json', JSON.stringify({ rpc: { port: 0 }, storage }));
      return refusal(dataDir, path, ['keys', 'create']);
    };
    expect(await refused({})).toContain('storage.s3: needs accessKeyId and secretAccessKey');
    const unreachable = await refused({ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' });
    expect(unreachable).toContain('error: storage.s3: the object store cannot be reached');
    expect((await runCli(dataDir, ['keys', 'list', '--json'])).json).toEqual([{ keys: [] }]);
  });

  testIf(noRedis)(named('Redis without its keys makes a running service unready', noRedis), async () => {
    const redis = await startRedis();
    const dataDir = makeFolder();
    const service = await start(dataDir, { ledger: 'redis', redis: { url: redis.url } });
    await runCli(dataDir, ['keys', 'create', '--config', service.path]);
    expect((await fetch(`${service.operations}/readyz`)).status).toBe(200);
    await run('redis-cli -u "$redis" flushall', { redis: redis.url });
    const answer = await fetch(`${service.operations}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'unavailable', problems: ['the key store has lost its keys'] },
    ]);
    const metrics = await (await fetch(`${service.operations}/metrics`)).text();
    expect(metrics).toContain('keystead_dependency_up{dependency="redis",use="keys"} 0');
    expect(metrics).toContain('keystead_ready{part="chain"} 0');
    await service.end('SIGTERM');
    expect(await refusal(dataDir, service.path, ['serve'])).toContain('Redis: holds no keys, but held some before');

    // A process of another machine cannot know that there were keys.
    const elsewhere = await start(makeFolder(), {
      ledger: 'redis',
      redis: { url: redis.url },
      storage: { enabled: false },
    });
    expect(elsewhere.first).toBeUndefined();
    expect(elsewhere.missing[0]).toContain('keys: there are none yet. To create the first one: keystead keys create');
    await elsewhere.end('SIGTERM');
    expect((await runCli(dataDir, ['keys', 'list', '--json', '--config', service.path])).json).toEqual([{ keys: [] }]);
  });
});
