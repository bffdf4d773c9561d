import { StorageClient, StorageError } from '../../../src/clients/storage';
import { type ChildService, startChildService } from './child-service';
import { addPinned, collect, contentOf, expectAll } from './content';
import { type TestBucket } from './s3';
import { temporaryDirectory } from './service';

type Kills = {
  /** After how many acknowledged adds each process is killed. */
  readonly killAfter: readonly number[];
  /** Called after each kill with how many there were, and how much was acknowledged. */
  readonly onKill?: (kills: number, acknowledged: number) => void;
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
export async function killWhileWorking({
  dataDir,
  killAfter,
  onKill,
}: Kills & { readonly dataDir: string }): Promise<number> {
  const all = new Map<number, string>();
  let next = 0;
  let latest = new Map<number, string>();
  for (const [kills, after] of killAfter.entries()) {
    const service = await startChildService(dataDir);
    await expectAll(service.url, latest);
    latest = await workUntilKilled(service, after, () => next++);
    for (const [number, cid] of latest) all.set(number, cid);
    onKill?.(kills + 1, all.size);
  }
  const last = await startChildService(dataDir);
  await expectAll(last.url, all);
  await last.stop();
  return all.size;
}

/** In every so many turns the process that is killed collects, and may leave an announcement. */
const COLLECTS_EVERY = 2;

/**
 * Kills one process after the other with SIGKILL, each while it adds and pins, and sometimes collects, beside another
 * process of the same bucket that adds, pins and collects. Expects that whatever was acknowledged is there.
 *
 * @param prefix - Where in the bucket they keep their objects.
 * @returns How much was acknowledged.
 */
export async function killBesideAnother(
  bucket: Pick<TestBucket, 'options' | 'age'>,
  prefix: string,
  { killAfter, onKill }: Kills,
): Promise<number> {
  const options = { ...bucket.options, prefix };
  const survivor = await startChildService(await temporaryDirectory(), options);
  const all = new Map<number, string>();
  let next = 0;
  for (const [kills, after] of killAfter.entries()) {
    // No request is in progress now, so what earlier turns have stored may count as old.
    bucket.age(prefix);
    const victim = await startChildService(await temporaryDirectory(), options);
    const latest = new Map<number, string>();
    let killed: Promise<void> | undefined;
    const add = async (url: string) => {
      const client = new StorageClient({ url });
      while (killed === undefined) {
        const number = next++;
        const cid = await addPinned(client, number, number % 3 === 0 ? 'after' : 'at once');
        if (cid === undefined) continue;
        latest.set(number, cid);
        if (latest.size >= after) killed ??= victim.kill();
      }
    };
    const makeGarbage = async (url: string) => {
      const client = new StorageClient({ url });
      while (killed === undefined) {
        await client.add(contentOf(1_000_000 + next++), { pin: false });
        await collect(client.stream('repo/gc'));
      }
    };
    const collector = kills % COLLECTS_EVERY === COLLECTS_EVERY - 1 ? victim : survivor;
    const results = await Promise.allSettled([
      add(victim.url),
      add(victim.url),
      add(survivor.url),
      makeGarbage(collector.url),
    ]);
    await killed;
    for (const result of results) {
      if (result.status === 'rejected' && !(result.reason instanceof StorageError)) throw result.reason;
    }
    await expectAll(survivor.url, latest);
    for (const [number, cid] of latest) all.set(number, cid);
    onKill?.(kills + 1, all.size);
  }
  await expectAll(survivor.url, all);
  await survivor.stop();
  return all.size;
}
