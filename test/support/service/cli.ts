import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { bundled } from '../bundled';
import type { CommandEnd, CommandRun } from './command-host';

/** The program as the package ships it. */
export const PROGRAM = bundled('src/service/cli/main.ts');

const started = new Set<ChildProcess>();

afterEach(async () => {
  for (const child of started) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

/**
 * Starts `keystead` with a data directory. It is stopped after the test at the latest.
 *
 * @param stderr - A file descriptor that takes its log instead of a pipe.
 */
export function startCli(
  dataDir: string,
  args: readonly string[],
  program = PROGRAM,
  stderr: number | 'pipe' = 'pipe',
): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, KEYSTEAD_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', stderr],
  });
  started.add(child);
  child.once('exit', () => started.delete(child));
  // Read the log even if no test does, because a full pipe would block the service.
  child.stderr?.resume();
  return child;
}

/** The lines of stdout that are JSON. */
const jsonIn = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Runs `keystead` to its end. `json` holds the lines of stdout that are JSON. */
export async function runCli(dataDir: string, args: readonly string[], program = PROGRAM) {
  const child = startCli(dataDir, args, program);
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout?.on('data', (data: Buffer) => out.push(data.toString()));
  child.stderr?.on('data', (data: Buffer) => err.push(data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const stdout = out.join('');
  return { code, stdout, stderr: err.join(''), json: jsonIn(stdout) };
}

let host: ChildProcess | undefined;

afterAll(async () => {
  const running = host;
  host = undefined;
  if (running === undefined) return;
  running.disconnect();
  await once(running, 'exit');
});

/**
 * Runs `keystead` to its end as {@link runCli} does, but in a process that has loaded the program already and that the
 * tests of a file share: loading takes longer than most commands. Not for commands that start workers or do not end.
 */
export async function runCommand(dataDir: string, args: readonly string[]) {
  host ??= fork(bundled('test/support/service/command-host.ts'));
  const env = { ...process.env, KEYSTEAD_DATA_DIR: dataDir } as CommandRun['env'];
  const ended = once(host, 'message');
  host.send({ args, env } satisfies CommandRun);
  const [end] = (await ended) as [CommandEnd];
  return { ...end, json: jsonIn(end.stdout) };
}
