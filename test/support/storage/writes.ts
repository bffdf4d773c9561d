import { type FileHandle, open } from 'node:fs/promises';

type Written = { readonly bytesWritten: number };
type Writev = (this: FileHandle, parts: readonly Uint8Array[], position: number) => Promise<Written>;

/** Decides about one write: `bytes` is all that it carries, `write` does it, or only the first `length` bytes of it. */
export type OnWrite = (bytes: Buffer, write: (length?: number) => Promise<Written>) => Promise<Written> | Written;

/** Lets `onWrite` decide about every write of a batch, in whatever file, until mocks are restored. */
export async function onWrites(onWrite: OnWrite): Promise<jest.SpyInstance> {
  const handle = await open(__filename);
  const prototype = Object.getPrototypeOf(handle) as { writev: Writev };
  await handle.close();
  const { writev } = prototype;
  return jest.spyOn(prototype, 'writev').mockImplementation(async function (this: FileHandle, parts, position) {
    const bytes = Buffer.concat(parts);
    return onWrite(bytes, (length = bytes.length) => writev.call(this, [bytes.subarray(0, length)], position));
  });
}
