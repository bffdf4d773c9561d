import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

/** Has a child that takes 0.3 s of processor time, and prints how many CPU-seconds that made. */
const PROGRAM = `
  import { spawnSync } from 'node:child_process';
  import { cpuSeconds } from './scripts/cpu-seconds.mjs';
  const before = cpuSeconds();
  spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 300_000);']);
  console.log(cpuSeconds() - before);
`;

const isLinux = process.platform === 'linux';

(isLinux ? test : test.skip)(
  `the CPU-seconds of a test file contain those of the programs that it started${isLinux ? '' : ' (skipped: needs Linux)'}`,
  () => {
    const cwd = resolve(__dirname, '../../..');
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd, encoding: 'utf8' });
    expect(Number(stdout)).toBeGreaterThanOrEqual(0.29);
  },
);
