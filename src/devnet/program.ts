import { type ChildProcess, spawn } from 'node:child_process';

/** A program of others that runs beside this process. */
export type Program = {
  /** The last it printed. */
  readonly printed: () => string;
  /** Resolves when the program has ended, with how: "exit code 1". */
  readonly ended: Promise<string>;
  /** Asks it to end, and resolves when it has. */
  readonly stop: () => Promise<void>;
};

export type ProgramOptions = { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly signal?: AbortSignal };

/** Characters of the output that are kept. */
const KEPT_OUTPUT = 4_000;
/** Milliseconds that a program has to end when asked. */
const PATIENCE = 10_000;
/** Milliseconds between two looks at a program that is starting. */
const LOOK_EVERY = 25;

function endOf(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(`${name} could not be started: ${error.message}`);
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `exit code ${code}` : `signal ${signal}`);
    });
  });
}

/**
 * Starts a program. It has a process group of its own, so that Ctrl-C reaches this process alone, which then ends
 * its programs in order. It is killed at the latest when this process ends.
 *
 * @param command - The program's file.
 * @param options - `signal`: ends the program when it is aborted.
 */
export function startProgram(
  command: string,
  parameters: readonly string[],
  { env = process.env, cwd, signal }: ProgramOptions = {},
): Program {
  const child = spawn(command, parameters, { env, cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed = (printed + chunk.toString()).slice(-KEPT_OUTPUT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);

  const ended = endOf(child, command);
  let hasEnded = false;
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  const stop = async (): Promise<void> => {
    if (hasEnded) return;
    child.kill('SIGTERM');
    const patience = setTimeout(kill, PATIENCE);
    await ended;
    clearTimeout(patience);
  };
  const abort = (): void => void stop();
  process.once('exit', kill);
  signal?.addEventListener('abort', abort);
  void ended.then(() => {
    hasEnded = true;
    process.off('exit', kill);
    signal?.removeEventListener('abort', abort);
  });
  if (signal?.aborted === true) abort();
  return { printed: () => printed, ended, stop };
}

/**
 * Waits until a program is ready.
 *
 * @param name - What an error calls it.
 * @param look - Looks whether it is: undefined as long as it is not.
 * @returns What `look` found.
 * @throws If the program ends before, with what it printed.
 */
export async function untilReady<T>(
  name: string,
  program: Program,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  let end: string | undefined = undefined;
  void program.ended.then((how) => {
    end = how;
  });
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (end !== undefined)
      throw new Error(`${name} ended before it was ready (${String(end)}).\n${program.printed().slice(-2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}
