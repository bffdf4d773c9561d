import type { ChildProcess } from 'node:child_process';

/**
 * Waits until a process has written what says that it is ready; goes on reading, so that it never blocks on a full pipe.
 *
 * @param child - Its stdout is a pipe.
 * @param pattern - To wait for.
 * @returns The match.
 */
export function untilOutput(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (data: Buffer) => {
      output += data.toString();
      const match = pattern.exec(output);
      if (match) resolve(match);
    });
    // Not at its exit: what it wrote last may still be on its way then.
    child.once('close', (code: number | null, signal: NodeJS.Signals | null) => {
      reject(new Error(`ended (${signal ?? code}) before it was ready:\n${output}`));
    });
  });
}
