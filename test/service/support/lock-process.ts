import { createInterface } from 'node:readline';

import { LockedError, lockForProcess } from '../../../src/service/runtime/process-lock';

/*
 * A process that takes locks, for tests with several. For each line, the path of a lock, it prints `taken` or `refused`; a lock
 * it has taken is given back at the empty line, which it answers with `given back`.
 */

let unlock: (() => void) | undefined;

function answer(line: string): string {
  if (line === '') {
    unlock?.();
    unlock = undefined;
    return 'given back';
  }
  try {
    unlock = lockForProcess(line, String);
    return 'taken';
  } catch (error) {
    if (error instanceof LockedError) return 'refused';
    throw error;
  }
}

createInterface(process.stdin).on('line', (line) => {
  process.stdout.write(`${answer(line)}\n`);
});
