import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { perRun } from '../../support/nightly';
import { runCli } from '../../support/service/cli';
import { makeFolder, writeFile } from '../../support/service/folder';

const REPOSITORY = resolve(__dirname, '../../..');

/** A clone without its packages installed. */
function bareClone(): string {
  const folder = makeFolder();
  for (const path of ['package.json', 'bin/keystead.js', 'bin/ready.js', 'src/service/cli/main.ts']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(REPOSITORY, path), join(folder, path));
  }
  return folder;
}

/** Makes Node report another version, and hides the real version's deprecation warnings. */
function pretend(version: string): void {
  const path = writeFile(
    'version.mjs',
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  jest.replaceProperty(process, 'env', { ...process.env, NODE_OPTIONS: `--import ${path} --no-deprecation` });
}

test('a clone without its packages says what to run', async () => {
  const folder = bareClone();
  const why = `error: dependencies are not installed: run npm ci in ${folder}/\n`;
  expect(await runCli('/nowhere', ['--version'], join(folder, 'bin/keystead.js'))).toMatchObject({
    code: 1,
    stdout: '',
    stderr: why,
  });
  const started = spawnSync('npm', ['start', '--silent'], { cwd: folder, encoding: 'utf8' });
  expect(started).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(why) as string });
});

test.each(['18.19.1', '20.19.5', '9.11.2'])('Node %s is rejected as too old', async (version) => {
  pretend(version);
  expect(await runCli('/nowhere', ['--version'], join(REPOSITORY, 'bin/keystead.js'))).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `error: Node ${version} is too old: Keystead requires 20.20.0 or newer\n`,
  });
});

test.each(['20.20.0', ...perRun([], ['22.3.0', '100.0.0'])])('Node %s is accepted', async (version) => {
  pretend(version);
  expect(await runCli('/nowhere', ['--version'], join(REPOSITORY, 'bin/keystead.js'))).toMatchObject({
    code: 0,
    stderr: '',
  });
});
