import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Of its commands, lint starts a program that does not end for long, and types fails when that runs. */
const NPM = `#!/usr/bin/env bash
case "$*" in
  'run lint') bash -c 'echo $$ >runs; exec sleep 200' & wait ;;
  'run types') cat runs >linting; exit 3 ;;
esac`;

test('a check that fails ends the lint that runs beside it, with all that it started', () => {
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
    if (error) process.kill(Number(readFileSync(join(folder, 'linting'), 'utf8')));
    expect([status, error]).toEqual([3, undefined]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
