import { closeSync, openSync } from 'node:fs';

/** Keeps the most recently used files open: an archive has more segments than a process may have open files. */
export class Descriptors {
  readonly #open = new Map<string, number>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns A descriptor of the file; valid only until the next call. */
  get(path: string): number {
    const held = this.#open.get(path);
    if (held !== undefined) {
      this.#open.delete(path);
      this.#open.set(path, held);
      return held;
    }
    const fd = openSync(path, 'r');
    this.#open.set(path, fd);
    for (const [oldest, oldFd] of this.#open) {
      if (this.#open.size <= this.#limit) break;
      this.#open.delete(oldest);
      closeSync(oldFd);
    }
    return fd;
  }

  closeAll(): void {
    for (const fd of this.#open.values()) closeSync(fd);
    this.#open.clear();
  }
}
