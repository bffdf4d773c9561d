import { fork, type ChildProcess } from 'node:child_process';

import { errorCode } from '../../runtime/error-code';
import { runJob, type Job, type JobEvent } from './job';

/** The hidden command under which the program reads files for an import in another process. */
export const WORKER_COMMAND = 'archive-import-worker';

/** Runs jobs somewhere; at most `size` at a time. */
export type Pool = { size: number; run(job: Job, emit: (event: JobEvent) => void): Promise<void>; close(): void };

/** Runs jobs one after the other in this process. */
export const localPool: Pool = { size: 1, run: runJob, close: () => undefined };

/**
 * Runs jobs in processes of their own, one to a core.
 *
 * @param size - How many.
 * @param program - Path of the program that takes WORKER_COMMAND.
 * @returns The pool. A worker that dies, or cannot be started, costs the file it was to read, no more.
 */
export function processPool(size: number, program: string): Pool {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();

  const start = () => {
    const worker = fork(program, [WORKER_COMMAND], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      // As JSON, a checksum list would arrive empty: it is made of a Map and a Set.
      serialization: 'advanced',
    });
    all.add(worker);
    const forget = () => {
      all.delete(worker);
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1);
    };
    // Whoever has given it a job hears of these, too. Without a listener an error would end the whole import.
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
          // Its last words may come after it has ended.
          if (worker.exitCode === null && worker.signalCode === null) idle.push(worker);
          finish();
        };
        const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
          const tell = () => {
            if (isOver) return;
            refuse(`the process that read it ended early (${signal ?? `exit code ${code}`})`);
          };
          // What it sent before it ended may still be on its way.
          if (worker.connected) worker.once('disconnect', tell);
          else tell();
        };
        const onError = (error: unknown) => {
          refuse(`the process that was to read it cannot be used (${errorCode(error) ?? String(error)})`);
        };
        worker.on('message', onMessage).once('exit', onExit).once('error', onError);
        // One that cannot be sent to has ended, or was not started, and that is what is told.
        if (worker.connected) worker.send(job, () => undefined);
      });
    },
    close() {
      for (const worker of all) if (worker.connected) worker.disconnect();
    },
  };
}

/** What a worker process does: runs the jobs it is sent until its parent is gone. */
export function serveJobs(): void {
  process.on('message', (job: Job) => {
    void runJob(job, (event) => process.send?.(event));
  });
  process.on('disconnect', () => process.exit(0));
}
