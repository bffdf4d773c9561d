import { onWrites } from './writes';

const NO_SPACE = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
/** Larger writes are not those of a removal, a pin or a small block. */
const SMALL = 64 << 10;

/** The next `count` small writes, of whatever file, or all of them, find the disk full. */
export async function fillDisk(count = Infinity): Promise<void> {
  let refused = 0;
  await onWrites((bytes, write) => {
    if (bytes.length >= SMALL || refused >= count) return write();
    refused++;
    throw NO_SPACE;
  });
}

/**
 * Makes the next small writes of more than `bytes` bytes, but at most `count` of them, fail as on a full disk. Shorter
 * writes succeed.
 *
 * @returns A function that returns how many failed.
 */
export async function fillDiskAbove(bytes: number, count: number): Promise<() => number> {
  let refused = 0;
  await onWrites((written, write) => {
    if (written.length <= bytes || refused === count) return write();
    refused++;
    throw NO_SPACE;
  });
  return () => refused;
}
