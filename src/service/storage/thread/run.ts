import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

import { openKeys } from '../../keys/open';
import { JoinedRegistry } from '../../runtime/joined-registry';
import { createLog } from '../../runtime/log';
import { storagePart } from '../part';
import { faultOf } from './faults';
import type { Answers, FromThread, Question, ThreadData } from './messages';

/** Logs go where those of the process go. */
const STDERR = 2;

/** Starts the service, and answers the questions of the process until it is asked to stop. */
async function serve(port: MessagePort, { config, dataDir }: ThreadData): Promise<void> {
  const send = (message: FromThread) => {
    port.postMessage(message);
  };
  const log = createLog(config.log.level, STDERR);
  const metrics = new JoinedRegistry();
  const onError = (error: Error) => {
    log.error({ reason: error.message }, 'the key store cannot be reached');
  };
  const keys = await openKeys(config, dataDir, onError, { isPatient: true });
  try {
    const running = await storagePart.start({ config, dataDir, keys, log, metrics });
    const answers: { [Name in keyof Answers]: () => Promise<Answers[Name]> } = {
      problems: () => running.problems(),
      metrics: () => metrics.getMetricsAsJSON(),
      leave: () => {
        running.leave?.(0);
        return Promise.resolve(null);
      },
      stop: async () => {
        await running.stop();
        await keys.close();
        return null;
      },
    };
    port.on('message', ({ number, question }: Question) => {
      answers[question]()
        .then(
          (answer) => {
            send({ is: 'answer', number, answer });
          },
          (error: unknown) => {
            send({ is: 'failure', number, fault: faultOf(error) });
          },
        )
        .finally(() => {
          if (question === 'stop') port.close();
        });
    });
    send({ is: 'started', addresses: running.addresses });
  } catch (error) {
    await keys.close();
    throw error;
  }
}

/** Runs the storage service in this thread, which {@link storageThreadPart} has started. */
export async function runStorageThread(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('the storage service was not started as a thread');
  try {
    await serve(port, workerData as ThreadData);
  } catch (error) {
    port.postMessage({ is: 'not started', fault: faultOf(error) } satisfies FromThread);
    port.close();
  }
}
