import fs from 'node:fs';

const NO_SPACE = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

/** Makes the next `count` small writes to any file, or all of them, fail as on a full disk. */
export function fillDisk(count?: number): void {
  const write = jest.spyOn(fs, 'writeSync');
  if (count === undefined) {
    write.mockImplementation(() => {
      throw NO_SPACE;
    });
    return;
  }
  for (let time = 0; time < count; time++) {
    write.mockImplementationOnce(() => {
      throw NO_SPACE;
    });
  }
}

/**
 * Makes the next small writes of more than `bytes` bytes, but at most `count` of them, fail as on a full disk. Shorter
 * writes succeed.
 *
 * @returns A function that returns how many failed.
 */
export function fillDiskAbove(bytes: number, count: number): () => number {
  const { writeSync } = fs;
  let refused = 0;
  jest.spyOn(fs, 'writeSync').mockImplementation(((fd: number, buffer: Uint8Array, ...rest: []) => {
    if (buffer.byteLength <= bytes || refused === count) return writeSync(fd, buffer, ...rest);
    refused++;
    throw NO_SPACE;
  }) as typeof writeSync);
  return () => refused;
}
