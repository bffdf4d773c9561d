import { type ChildProcess, spawn } from 'node:child_process';

/** An external program that runs alongside this process. */
export type Program = {
  /** Its latest output. */
  readonly printed: () => string;
  /** Resolves when the program has ended, with how it ended: "exit code 1". */
  readonly ended: Promise<string>;
  /** Asks it to stop; resolves once it has. */
  readonly stop: () => Promise<void>;
};

export type ProgramOptions = { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly signal?: AbortSignal };

/** Characters of output that are kept. */
const KEPT_OUTPUT = 4_000;
/** The time that a program may take to stop, in milliseconds. */
const STOP_TIMEOUT = 10_000;
/** Interval for checking a starting program, in milliseconds. */
const POLL_EVERY = 25;

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
 * Starts a program in its own process group, so that Ctrl-C reaches only this process, which then stops its programs
 * in order. It is killed at the latest when this process exits.
 *
 * @param command - The program's file.
 * @param options - `signal`: stops the program when aborted.
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
  const terminate = async (): Promise<void> => {
    child.kill('SIGTERM');
    const deadline = setTimeout(kill, STOP_TIMEOUT);
    await ended;
    clearTimeout(deadline);
  };
  // Only one signal is sent: a second one makes some programs, like anvil, leave before they have saved anything.
  let stopping: Promise<void> | undefined = undefined;
  const stop = (): Promise<void> => (hasEnded ? Promise.resolve() : (stopping ??= terminate()));
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
 * @param name - Its name in errors.
 * @param check - Returns undefined until the program is ready.
 * @returns What `check` returned.
 * @throws If the program ends before that, with its output.
 */
export async function untilReady<T>(
  name: string,
  program: Program,
  check: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  let end: string | undefined = undefined;
  void program.ended.then((how) => {
    end = how;
  });
  for (;;) {
    const found = await check();
    if (found !== undefined) return found;
    if (end !== undefined)
      throw new Error(`${name} ended before it was ready (${String(end)}).\n${program.printed().slice(-2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY));
  }
}
