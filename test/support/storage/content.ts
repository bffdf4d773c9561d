import { createHash } from 'node:crypto';
import { StorageClient, StorageError } from '../../../src/clients/storage';

let drawn = 0;

/** Random-looking bytes: different at every call, the same in every run. */
export const someBytes = (length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(`bytes ${drawn++}`).digest();

/** Content that its number determines. */
export function contentOf(number: number): Uint8Array {
  const length = [300, 5000, 70_000, 300_000][number % 4]!;
  const pieces = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${number}/${index}`).digest(),
  );
  return Buffer.concat(pieces).subarray(0, length);
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/**
 * Adds numbered content, and pins it with the same request or with a second one.
 *
 * @returns Its CID once it is pinned; undefined if a collection ran between the two, which is allowed.
 */
export async function addPinned(
  client: StorageClient,
  number: number,
  how: 'at once' | 'after',
): Promise<string | undefined> {
  const { cid } = await client.add(contentOf(number), { pin: how === 'at once' });
  try {
    if (how === 'after') await client.pinAdd(cid);
    return cid;
  } catch (error) {
    if (error instanceof StorageError && /block was not found/u.test(error.message)) return undefined;
    throw error;
  }
}

/** Expects all acknowledged content to exist, to be pinned and to be correct. */
export async function expectAll(url: string, acknowledged: ReadonlyMap<number, string>): Promise<void> {
  const client = new StorageClient({ url });
  const pinned = new Set((await collect(client.pinLs())).map(({ cid }) => cid));
  for (const [number, cid] of acknowledged) {
    expect(pinned).toContain(cid);
    expect(Buffer.compare(await client.read(cid), contentOf(number))).toBe(0);
  }
}
