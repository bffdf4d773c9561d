import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { SEGMENT_SUFFIX } from '../../../src/service/chain/archive/segment';
import { parseConfig } from '../../../src/service/cli/config';
import { servesOnlyFiles } from '../../../src/service/cli/only-files';
import { PROGRAM, startCli } from '../../support/service/cli';
import { makeFolder } from '../../support/service/folder';
import { startService } from '../../support/service/service';
import { untilOutput } from '../../support/service/until-output';

const MIB = 1 << 20;
const ROOT = resolve(__dirname, '../../..');
const NODE = { url: 'http://127.0.0.1:1' };
const TWO_NETWORKS = ['a', 'b'].map((name, index) => ({ name, chainId: index + 1, hosts: [`${name}.example`] }));

/** A data directory with an archive for each of the networks. */
function withArchives(names: readonly string[]): string {
  const dataDir = makeFolder();
  for (const name of names) {
    const dir = join(dataDir, 'archive', name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, `0${SEGMENT_SUFFIX}`), '');
  }
  return dataDir;
}

/** @returns The path of the command in an installed package. */
function installed(): string {
  const folder = makeFolder();
  mkdirSync(join(folder, 'dist-service'));
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  copyFileSync(PROGRAM, join(folder, 'dist-service/cli.js'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'bin/keystead.js');
}

describe('a process that serves file storage alone', () => {
  it.each([
    ['has no archive, node or bundler', {}, []],
    ['has archives of networks that it does not serve', {}, ['other']],
    ['does not use its archives', { networks: [{ name: 'a', chainId: 1, archive: false }] }, ['a']],
  ])('%s', (_what, config, archives) => {
    expect(servesOnlyFiles(parseConfig(config), withArchives(archives))).toBe(true);
  });

  it.each([
    ['has an archive', {}, ['mainnet']],
    ['has a node', { networks: [{ name: 'a', chainId: 1, upstream: NODE }] }, []],
    ['has a bundler', { networks: [{ name: 'a', chainId: 1, bundler: NODE }] }, []],
    ['has an archive of one of its networks', { networks: TWO_NETWORKS }, ['b']],
    ['stores no files', { storage: { enabled: false } }, []],
  ])('does not apply if it %s', (_what, config, archives) => {
    expect(servesOnlyFiles(parseConfig(config), withArchives(archives))).toBe(false);
  });

  it('applies if a service ran before, and nothing was imported', async () => {
    const { dataDir, stop } = await startService();
    await stop();
    expect(servesOnlyFiles(parseConfig({}), dataDir)).toBe(true);
  });

  it('is tuned with flags that V8 has', () => {
    const module = JSON.stringify(join(ROOT, 'src/service/runtime/v8-memory.ts'));
    const program = `import(${module}).then(({ tuneForFiles, tuneForLookUps }) => { tuneForLookUps(); tuneForFiles(); })`;
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '-e', program], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('keeps its young generation small', async () => {
    const args = ['serve', '--json', '--rpc-port', '0', '--storage-port', '0'];
    const [line] = await untilOutput(startCli(makeFolder(), args, installed()), /^\{.*\}$/mu);
    const { addresses, key, secret } = JSON.parse(line) as {
      addresses: { label: string; url: string }[];
      key: string;
      secret: string;
    };
    const url = (label: string) => addresses.find((address) => address.label === label)?.url ?? '';
    const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
    // Sixteen thousand blocks make many young objects; by default the young generation would grow to 32 MiB.
    const body = new FormData();
    body.append('file', new Blob([Buffer.alloc(16 * MIB, 'keystead')]), 'f');
    const added = await fetch(`${url('Storage')}/api/v0/add?chunker=size-1024&only-hash=true`, {
      method: 'POST',
      headers: { authorization },
      body,
    });
    expect(added.status).toBe(200);
    await added.text();
    const metrics = await (await fetch(`${url('Operations')}/metrics`)).text();
    const size = Number(/^nodejs_heap_space_size_total_bytes\{space="new"\} (\S+)$/mu.exec(metrics)?.[1]);
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(4 * MIB);
  });
});
