import { StorageClient, StorageError } from '../../../src/clients/storage';
import { type ChildService, startChildService } from './child-service';
import { addPinned, collect, contentOf, expectAll } from './content';

export type KillOptions = {
  readonly dataDir: string;
  /** After how many acknowledged adds each process is killed. */
  readonly killAfter: readonly number[];
};

/** What one process acknowledged before it was killed. */
async function workUntilKilled(
  service: ChildService,
  killAfter: number,
  numberOfNext: () => number,
): Promise<Map<number, string>> {
  const acknowledged = new Map<number, string>();
  const client = new StorageClient({ url: service.url });
  let killed: Promise<void> | undefined;
  const add = async () => {
    while (killed === undefined) {
      const number = numberOfNext();
      const cid = await addPinned(client, number, number % 5 === 0 ? 'after' : 'at once');
      if (cid === undefined) continue;
      acknowledged.set(number, cid);
      if (acknowledged.size >= killAfter) killed ??= service.kill();
    }
  };
  const makeGarbage = async () => {
    while (killed === undefined) {
      await client.add(contentOf(1_000_000 + numberOfNext()), { pin: false });
      await collect(client.stream('repo/gc'));
    }
  };
  const results = await Promise.allSettled([add(), add(), add(), makeGarbage()]);
  await killed;
  for (const result of results) {
    // A client learns that the connection broke; any other failure is the test's.
    if (result.status === 'rejected' && !(result.reason instanceof StorageError)) throw result.reason;
  }
  return acknowledged;
}

/**
 * Kills one process of the service after the other with SIGKILL, each while it adds, pins and collects, and expects
 * that whatever was acknowledged is there.
 *
 * @returns How much was acknowledged.
 */
export async function killWhileWorking({ dataDir, killAfter }: KillOptions): Promise<number> {
  const all = new Map<number, string>();
  let next = 0;
  let latest = new Map<number, string>();
  for (const after of killAfter) {
    const service = await startChildService(dataDir);
    await expectAll(service.url, latest);
    latest = await workUntilKilled(service, after, () => next++);
    for (const [number, cid] of latest) all.set(number, cid);
  }
  const last = await startChildService(dataDir);
  await expectAll(last.url, all);
  await last.stop();
  return all.size;
}
