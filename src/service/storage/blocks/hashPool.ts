import { cpus } from 'node:os';
import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { crcOf } from './crc';

/** SHA2-256 and CRC-32 of one block. */
export type Sums = { readonly digest: Uint8Array; readonly crc: number };

type Job = {
  readonly resolve: (result: { sums: Sums; body: ArrayBuffer }) => void;
  readonly reject: (error: Error) => void;
};

/**
 * The code of a worker. Text and not a file, so that it runs the same from sources, from a bundle and under a test
 * runner.
 */
const WORKER_CODE = `
const { parentPort } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { crc32 } = require('node:zlib');
parentPort.on('message', ({ id, before, body, length, after }) => {
  const bytes = new Uint8Array(body, 0, length);
  const digest = createHash('sha256').update(before).update(bytes).update(after).digest();
  const crc = [before, bytes, after].reduce((sum, part) => (part.length === 0 ? sum : crc32(part, sum)), 0);
  parentPort.postMessage({ id, digest: new Uint8Array(digest), crc, body }, [body]);
});
`;

/** Below this a block is hashed where it is: handing it to another thread costs more. */
const WORKER_ABOVE = 32 << 10;

/** Hashes blocks, the larger ones on worker threads. */
export class HashPool {
  readonly #workers: Worker[] = [];
  readonly #jobs = new Map<number, Job>();
  readonly #free: ArrayBuffer[] = [];
  #next = 0;

  /** @param size how many threads; 0 hashes everything on the calling thread. */
  constructor(size: number = Math.min(2, cpus().length)) {
    for (let index = 0; index < size; index++) {
      const worker = new Worker(WORKER_CODE, { eval: true, execArgv: [] });
      worker.on('message', ({ id, digest, crc, body }: Sums & { id: number; body: ArrayBuffer }) => {
        this.#jobs.get(id)?.resolve({ sums: { digest, crc }, body });
        this.#jobs.delete(id);
        if (this.#jobs.size === 0) for (const each of this.#workers) each.unref();
      });
      worker.on('error', (error) => {
        this.#workers.splice(this.#workers.indexOf(worker), 1);
        for (const job of this.#jobs.values()) job.reject(error);
        this.#jobs.clear();
      });
      worker.unref();
      this.#workers.push(worker);
    }
  }

  /** How many blocks one upload should keep under way to use every thread. */
  get width(): number {
    return 2 * this.#workers.length + 1;
  }

  /**
   * Hashes `before`, the `pieces` and `after` as one block. `use` gets the sums and the block's pieces, which are only
   * valid until it settles.
   */
  async hash(
    before: Uint8Array,
    pieces: readonly Uint8Array[],
    after: Uint8Array,
    use: (sums: Sums, parts: readonly Uint8Array[]) => Promise<void>,
  ): Promise<void> {
    const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    if (this.#workers.length === 0 || length < WORKER_ABOVE) {
      const parts = [before, ...pieces, after];
      await use(sumsOf(parts), parts);
      return;
    }
    const { sums, body } = await this.#send(before, pieces, length, after);
    try {
      await use(sums, [before, new Uint8Array(body, 0, length), after]);
    } finally {
      if (this.#free.length < 4 * this.#workers.length) this.#free.push(body);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #send(before: Uint8Array, pieces: readonly Uint8Array[], length: number, after: Uint8Array) {
    const body = this.#takeBuffer(length);
    const bytes = new Uint8Array(body);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.byteLength;
    }
    const id = this.#next++;
    const worker = this.#workers[id % this.#workers.length];
    return new Promise<{ sums: Sums; body: ArrayBuffer }>((resolve, reject) => {
      this.#jobs.set(id, { resolve, reject });
      worker?.ref();
      worker?.postMessage({ id, before, body, length, after }, [body]);
    });
  }

  #takeBuffer(length: number): ArrayBuffer {
    const index = this.#free.findIndex((buffer) => buffer.byteLength >= length);
    const [found] = index < 0 ? [] : this.#free.splice(index, 1);
    return found ?? new ArrayBuffer(length);
  }
}

/** SHA2-256 and CRC-32 of the pieces as one block, on the calling thread. */
export function sumsOf(parts: readonly Uint8Array[]): Sums {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return { digest: hash.digest(), crc: crcOf(parts) };
}
