import { fork, type ChildProcess } from 'node:child_process';

import { errorCode } from '../../runtime/error-code';
import { runJob, type Job, type JobEvent } from './job';

/** The hidden command that runs the program as a worker process of an import. */
export const WORKER_COMMAND = 'archive-import-worker';

/** Runs at most `size` jobs concurrently. */
export type Pool = { size: number; run(job: Job, emit: (event: JobEvent) => void): Promise<void>; close(): void };

/** Runs jobs one after the other in this process. */
export const localPool: Pool = { size: 1, run: runJob, close: () => undefined };

/**
 * Runs jobs in worker processes, one per core.
 *
 * @param size - Number of workers.
 * @param program - Path of the program that implements WORKER_COMMAND.
 * @returns The pool. A worker that dies or cannot be started fails only the file it was to read.
 */
export function processPool(size: number, program: string): Pool {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();

  const start = () => {
    const worker = fork(program, [WORKER_COMMAND], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // Not as JSON: a checksum list consists of a Map and a Set, and would arrive empty.
      serialization: 'advanced',
    });
    all.add(worker);
    const forget = () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    };
    // The job's promise handles these events as well. Without a listener an error would end the whole import.
    worker.once('exit', forget).once('disconnect', forget).on('error', forget);
    return worker;
  };

  return {
    size,
    run(job, emit) {
      const worker = idle.pop() ?? start();
      return new Promise((resolve) => {
        let isOver = false;
        const finish = () => {
          isOver = true;
          worker.off('message', onMessage).off('exit', onExit).off('error', onError);
          resolve();
        };
        const refuse = (reason: string) => {
          emit({ type: 'refused', reason });
          finish();
        };
        const onMessage = (event: JobEvent) => {
          emit(event);
          if (event.type !== 'done' && event.type !== 'refused') return;
          // Its last message may arrive after it has exited.
          if (worker.exitCode === null && worker.signalCode === null) idle.push(worker);
          finish();
        };
        const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
          const report = () => {
            if (isOver) return;
            refuse(`the worker process exited early (${signal ?? `exit code ${code}`})`);
          };
          // Messages it sent before exiting may still arrive.
          if (worker.connected) worker.once('disconnect', report);
          else report();
        };
        const onError = (error: unknown) => {
          refuse(`the worker process failed (${errorCode(error) ?? String(error)})`);
        };
        worker.on('message', onMessage).once('exit', onExit).once('error', onError);
        // A worker that cannot receive messages has exited or failed to start; that event is reported instead.
        if (worker.connected) worker.send(job, () => undefined);
      });
    },
    close() {
      for (const worker of all) if (worker.connected) worker.disconnect();
    },
  };
}

/** The worker process: runs the jobs it receives until its parent is gone. */
export function serveJobs(): void {
  process.on('message', (job: Job) => {
    void runJob(job, (event) => process.send?.(event));
  });
  process.on('disconnect', () => process.exit(0));
}
