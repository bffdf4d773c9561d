import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { PartContext, RunningPart, ServicePart } from '../../part';
import type { StorageServiceConfig } from '../config';
import { errorOf } from './faults';
import type { Answers, FromThread, Question, ThreadData } from './messages';

/** A thread that has not answered for so long cannot serve clients either. */
const PATIENCE_MS = 5000;

/** Asks a running thread. */
class Questions {
  readonly #worker: Worker;
  readonly #open = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  #last = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: FromThread) => {
      if (!('number' in message)) return;
      const asked = this.#open.get(message.number);
      this.#open.delete(message.number);
      if (message.is === 'answer') asked?.resolve(message.answer as never);
      else asked?.reject(errorOf(message.fault));
    });
  }

  ask<Name extends keyof Answers>(question: Name): Promise<Answers[Name]> {
    const number = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(number, { resolve, reject });
      this.#worker.postMessage({ number, question } satisfies Question);
    });
  }

  /** Asks, and answers instead if the thread does not. */
  async askFor<Name extends keyof Answers>(question: Name, otherwise: Answers[Name]): Promise<Answers[Name]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Answers[Name]>((resolve) => {
      timer = setTimeout(() => {
        resolve(otherwise);
      }, PATIENCE_MS);
    });
    try {
      return await Promise.race([this.ask(question), late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Waits until the thread listens. @throws What kept it from starting. */
async function started(worker: Worker): Promise<RunningPart['addresses']> {
  const [message] = (await once(worker, 'message')) as [FromThread];
  if (message.is === 'started') return message.addresses;
  throw message.is === 'not started' ? errorOf(message.fault) : new Error('the storage service did not start');
}

async function start({ config, dataDir, metrics }: PartContext<StorageServiceConfig>): Promise<RunningPart> {
  if (!config.storage.enabled)
    return { addresses: [], problems: () => Promise.resolve([]), stop: () => Promise.resolve() };
  // This program once more: the thread sees that it is one (src/service/cli/main.ts).
  const [, program = ''] = process.argv;
  const workerData: ThreadData = { config, dataDir };
  const worker = new Worker(program, { workerData });
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      resolve();
    });
  });
  const addresses = await started(worker);
  // As in this thread: what nobody expected ends the process, whose supervisor starts it again.
  worker.on('error', (error) => {
    throw error;
  });
  const questions = new Questions(worker);
  metrics.join(() => questions.askFor('metrics', []));
  return {
    addresses,
    problems: () =>
      questions.askFor('problems', [`the storage service has not answered for ${PATIENCE_MS / 1000} seconds`]),
    leave: () => {
      void questions.askFor('leave', null);
    },
    stop: async () => {
      await questions.ask('stop');
      await exited;
    },
  };
}

/**
 * The file-storage service in a thread of its own: whatever its clients have it decode, the chain service is not kept
 * waiting (docs/decisions/0016-storage-in-a-thread.md).
 */
export const storageThreadPart: ServicePart<StorageServiceConfig> = { name: 'storage', start };
