import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { PORT_COUNT } from '../../../src/devnet/ports';

const ROOT = join(__dirname, '../../..');

/** An environment variable that all processes started from here inherit, directly or indirectly. */
const MARK = 'KEYSTEAD_TEST_RUN';

/** `npm start` in its own process group, as in a terminal. */
export type NpmStart = {
  readonly output: () => string;
  /** Waits for text in the output. @throws If it ends before. */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Ctrl-C: a signal to the whole group. */
  readonly interrupt: () => void;
  /** Sends a signal to npm alone. */
  readonly signalNpm: (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL') => void;
  /** Resolves with the exit code once npm has ended. */
  readonly ended: Promise<number | null>;
  /** The ids of its processes that are still running (Linux only). */
  readonly processes: () => number[];
  /** The remaining files in its temporary folder. */
  readonly temporaryFiles: () => string[];
};

const started = new Set<{ child: ChildProcess; processes: () => number[]; temporary: string }>();

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Kills the processes that a failed test has left running, and those that are about to end. */
export async function cleanUp(): Promise<void> {
  for (const { processes, temporary } of started) {
    for (let left = processes(); left.length > 0; left = processes()) {
      left.forEach(killIfThere);
      await setTimeout(20);
    }
    rmSync(temporary, { recursive: true, force: true });
  }
  started.clear();
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}

function markedProcesses(mark: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
  return pids.filter((pid) => environmentOf(pid).split('\0').includes(mark)).map(Number);
}

/** Runs `npm start` with parameters. */
export const npmStart = (...parameters: string[]): NpmStart => npmStartWith({}, ...parameters);

/** Runs `npm start` with environment variables and parameters. */
export function npmStartWith(environment: Readonly<Record<string, string>>, ...parameters: string[]): NpmStart {
  const run = randomUUID();
  const temporary = mkdtempSync(join(tmpdir(), 'keystead-test-'));
  // A non-interactive shell starts background jobs with SIGINT ignored, which every process started from there
  // inherits.
  const child = spawn('sh', ['-c', 'trap "" INT; exec npm start --silent -- "$@"', 'sh', ...parameters], {
    cwd: ROOT,
    detached: true,
    // Newer versions of npm and Node.js would keep compiled code among the temporary files.
    env: { ...process.env, [MARK]: run, TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const processes = (): number[] => markedProcesses(`${MARK}=${run}`);
  started.add({ child, processes, temporary });

  let output = '';
  const listeners = new Set<() => void>();
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const pid = child.pid!;
  return {
    output: () => output,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(output);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then(() => {
          reject(new Error(`npm start ended before it said ${String(pattern)}:\n${output}`));
        });
      }),
    interrupt: () => process.kill(-pid, 'SIGINT'),
    signalNpm: (signal) => process.kill(pid, signal),
    ended,
    processes,
    temporaryFiles: () => readdirSync(temporary).filter((name) => !name.startsWith('tsx-')),
  };
}

/** Listens on a port; undefined if it is taken. */
function take(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen(port, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

async function isFree(port: number): Promise<boolean> {
  const server = await take(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** Always the same, so that the snap of the last run can be reused, which has the page's port built in. */
const FIRST_BASE = 28_100;

/** Each holds the port that follows a range of ports, and so reserves the range for this test file. */
const reservations: Server[] = [];
afterAll(() => {
  for (const server of reservations.splice(0)) server.close();
});

/**
 * Finds free ports for the devnet. Other test files, which run at the same time, do not find them while this one runs,
 * even if nothing listens on them.
 *
 * @returns The first port of a range that is large enough for the devnet.
 */
export async function freePortBase(): Promise<number> {
  for (let base = FIRST_BASE; base < 60_000; base += PORT_COUNT + 1) {
    const reservation = await take(base + PORT_COUNT);
    if (reservation === undefined) continue;
    const free = await Promise.all(Array.from({ length: PORT_COUNT }, (_, index) => isFree(base + index)));
    if (free.every((is) => is)) {
      reservations.push(reservation);
      return base;
    }
    reservation.close();
  }
  throw new Error('no free ports');
}
