import circus from 'jest-circus/runner';

import { cpuSeconds } from './cpu-seconds.mjs';

/** What this process had used when its last test file ended: the first file has the start of the process, too. */
let before = 0;

/*
 * A worker with nothing left to do ends, which is when "beforeExit" comes. But to free its gigabyte can take longer
 * than the half second after which Jest ends it by force and warns of tests that leave something open: it need not be
 * freed.
 */
if (process.send !== undefined)
  process.once('beforeExit', () => {
    process.on('exit', () => process.kill(process.pid, 'SIGKILL'));
  });

/**
 * Runs a test file as Jest does, and adds to its result the CPU-seconds that it took: those of the process since the
 * last file, with threads, loading, transforming and garbage, and those of the programs that the tests started and
 * ended. A program that outlives its file is counted with the next one.
 */
export default async function run(...args) {
  const result = await circus(...args);
  const now = cpuSeconds();
  result.cpuSeconds = now - before;
  before = now;
  return result;
}
