import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { type Devnet } from '../../src/companion/model/types';

/** @param url - Of its Keystead page. @returns How the devnet describes itself to the page. */
export const devnetOf = async (url: string): Promise<Devnet> =>
  (await (await fetch(new URL('devnet.json', url))).json()) as Devnet;

/** A running `npm start`. */
export type RunningDevnet = { readonly url: string; readonly stop: () => Promise<void> };

/**
 * Runs what `npm start` runs.
 *
 * @param parameters - Its options. Without any, it uses the ports that the docs name.
 * @throws If it ends before the Keystead page is served.
 */
export async function startDevnet(parameters: readonly string[]): Promise<RunningDevnet> {
  const program = ['--import', './bin/ready.js', '--import', 'tsx', 'src/devnet/start.ts'];
  const child = spawn(process.execPath, [...program, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, found] = /^Keystead page {2}(http:\S+)$/mu.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => {
      reject(new Error(`npm start ended before the Keystead page was ready.\n${output}`));
    });
  });
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    },
  };
}
