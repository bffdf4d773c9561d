import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Of its commands, docs starts a program that does not end for long, and build fails when that runs. */
const NPM = `#!/usr/bin/env bash
case "$*" in
  'run docs') bash -c 'echo $$ >runs; exec sleep 200' & wait ;;
  'run build') cat runs >beside; exit 3 ;;
esac`;

test('a step that fails ends the one that runs beside it, with all that it started', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-ci-'));
  try {
    for (const name of ['.ci', 'bin']) mkdirSync(join(folder, name));
    for (const name of ['run', 'steps'])
      copyFileSync(resolve(__dirname, '../../../.ci', name), join(folder, '.ci', name));
    // Nothing to install.
    writeFileSync(join(folder, '.ci/install-peers'), '');
    writeFileSync(join(folder, 'bin/npm'), NPM);
    chmodSync(join(folder, 'bin/npm'), 0o755);
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
    spawnSync('mkfifo', [join(folder, 'runs')]);
    // All that it starts have the pipe, too: it ends with the last of them.
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const;
    const { status, error } = spawnSync('bash', [join(folder, '.ci/run')], {
      env,
      stdio: [...stdio],
      timeout: 100_000,
    });
    // Of no number, 0 would be made, which ends the whole process group of the tests.
    const [beside] = /^\d+/u.exec(readFileSync(join(folder, 'beside'), 'utf8')) ?? [];
    if (error && beside !== undefined) process.kill(Number(beside));
    expect([status, error]).toEqual([3, undefined]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
