import { createHash } from 'node:crypto';
import { StorageClient } from '../../../src/clients/storage';

/** Content that can be made again from its number. */
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

/** Everything that was acknowledged must be there, pinned, and right. */
export async function expectAll(url: string, acknowledged: ReadonlyMap<number, string>): Promise<void> {
  const client = new StorageClient({ url });
  const pinned = new Set((await collect(client.pinLs())).map(({ cid }) => cid));
  for (const [number, cid] of acknowledged) {
    expect(pinned).toContain(cid);
    expect(Buffer.compare(await client.read(cid), contentOf(number))).toBe(0);
  }
}
