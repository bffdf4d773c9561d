import type { ChildProcess } from 'node:child_process';

/**
 * Waits until a process has printed that it is ready, and goes on reading, because a full pipe would block the process.
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
    // Its last output may arrive after `exit`, but not after `close`.
    child.once('close', (code: number | null, signal: NodeJS.Signals | null) => {
      reject(new Error(`ended (${signal ?? code}) before it was ready:\n${output}`));
    });
  });
}
