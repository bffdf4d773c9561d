import { statfs } from 'node:fs/promises';

/** For how long a look at the disk counts: others write to it, too. */
const LOOK_MS = 1000;
/** What a file takes at least. */
const LEAST_BYTES = 4096;

/** Uploads have filled the disk up to what is kept for the service itself. */
export class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
  readonly code = 'ENOSPC';

  constructor(reserve: number) {
    super(`no space left for uploads: the last ${reserve} bytes of the disk are kept for the service`);
  }
}

/**
 * The disk of a folder. Uploads fill it up to a reserve, with which the service goes on to record credits, keys and
 * the removal of pins.
 */
export class Disk {
  readonly #path: string;
  readonly #reserve: number;
  #left = 0;
  #looked = -Infinity;
  #looking: Promise<void> | undefined;

  /**
   * @param path - A folder on it.
   * @param reserve - Bytes that uploads leave; without any, nothing is looked at.
   */
  constructor(path: string, reserve: number) {
    this.#path = path;
    this.#reserve = reserve;
  }

  /**
   * To be called before bytes are written.
   *
   * @throws {DiskFullError} If they would use the reserve.
   */
  async charge(bytes: number): Promise<void> {
    if (this.#reserve === 0) return;
    const taken = Math.max(LEAST_BYTES, bytes);
    if (this.#left < taken || performance.now() - this.#looked > LOOK_MS) await this.#lookOnce();
    // In the step that has found enough: others may wait for the same look.
    if (this.#left < taken) throw new DiskFullError(this.#reserve);
    this.#left -= taken;
  }

  /** @throws {DiskFullError} If so many bytes would use the reserve now. */
  async check(bytes: number): Promise<void> {
    if (this.#reserve === 0) return;
    await this.#lookOnce();
    if (this.#left < bytes) throw new DiskFullError(this.#reserve);
  }

  #lookOnce(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)));
  }

  async #look(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#path);
    this.#left = bavail * bsize - this.#reserve;
    this.#looked = performance.now();
  }
}
