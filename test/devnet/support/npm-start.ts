import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PORT_COUNT } from '../../../src/devnet/ports';

const ROOT = join(__dirname, '../../..');

/** Every process that was started from here inherits this, and so do theirs. */
const MARK = 'KEYSTEAD_TEST_RUN';

/** `npm start` in a process group of its own, as a terminal runs it. */
export type NpmStart = {
  readonly output: () => string;
  /** Waits for text in the output. @throws If it ends before. */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Ctrl-C: a signal to the whole group. */
  readonly interrupt: () => void;
  /** Asks npm alone to end, which tells the shell between, and that nobody. */
  readonly terminateNpm: () => void;
  /** Resolves with the exit code once npm has ended. */
  readonly ended: Promise<number | null>;
  /** Ids of the processes that are left of it (Linux only). */
  readonly processes: () => number[];
  /** What is left in its folder for temporary files. */
  readonly temporaryFiles: () => string[];
};

const started = new Set<{ child: ChildProcess; processes: () => number[]; temporary: string }>();

/** Kills what a failed test has left. */
export function cleanUp(): void {
  for (const { processes, temporary } of started) {
    for (const pid of processes()) process.kill(pid, 'SIGKILL');
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
export function npmStart(...parameters: string[]): NpmStart {
  const run = randomUUID();
  const temporary = mkdtempSync(join(tmpdir(), 'keystead-test-'));
  const child = spawn('npm', ['start', '--silent', '--', ...parameters], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, [MARK]: run, TMPDIR: temporary },
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
    terminateNpm: () => process.kill(pid, 'SIGTERM'),
    ended,
    processes,
    temporaryFiles: () => readdirSync(temporary).filter((name) => !name.startsWith('tsx-')),
  };
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, '127.0.0.1', () =>
      server.close(() => {
        resolve(true);
      }),
    );
  });
}

/** The first is the same each time, so that the snap of the last run can be used again: its page's port is built in. */
const FIRST_BASE = 28_100;

/** @returns The first of as many free ports as the devnet takes. */
export async function freePortBase(): Promise<number> {
  for (let base = FIRST_BASE; base < 60_000; base += PORT_COUNT) {
    const free = await Promise.all(Array.from({ length: PORT_COUNT }, (_, index) => isFree(base + index)));
    if (free.every((is) => is)) return base;
  }
  throw new Error('no free ports');
}
