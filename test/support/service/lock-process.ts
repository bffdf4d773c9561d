import { createInterface } from 'node:readline';

import { LockedError, lockForProcess } from '../../../src/service/runtime/process-lock';

/*
 * A process that takes locks. For each line on stdin, the path of a lock, it prints `taken` or `refused`. At an empty
 * line it releases the lock it holds, and prints `given back`.
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
