import { Worker } from 'node:worker_threads';
import { retune } from '../../runtime/v8-memory';

/** SHA2-256 and CRC-32 of one block. */
export type Sums = { readonly digest: Uint8Array; readonly crc: number };

/** Number of blocks held at once. A power of two, so that queue positions stay correct when the counters overflow. */
const SLOTS = 32;
/** Maximum block size of a slot: a leaf of the maximum chunk size, with its framing. */
export const SLOT_BYTES = (1 << 20) + 4096;
/** Per-slot data shared with the threads: the block's length, whether it is hashed, CRC-32, SHA2-256. */
const NOTE_INTS = 3;
const DIGEST_BYTES = 32;
/** Counters: blocks submitted, blocks taken, whether this side was notified of hashed ones. Then the queue of slots. */
const [SUBMITTED, TAKEN, NOTIFIED, QUEUE] = [0, 1, 2, 3];
const NOTES = QUEUE + SLOTS;
const INTS = NOTES + SLOTS * NOTE_INTS;
/** Waiting blocks per thread before another one is started. */
const BACKLOG = 4;

/**
 * The source of a thread. Text, because a separate file would be found neither from the bundled program nor from the
 * sources.
 */
const THREAD = `const { parentPort, workerData: { memory, board } } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { crc32 } = require('node:zlib');
const ints = new Int32Array(board, 0, ${INTS});
const digests = new Uint8Array(board, ${4 * INTS});
for (;;) {
  // In this order, so that the submitted count is never less than what another thread has taken meanwhile.
  const next = Atomics.load(ints, ${TAKEN});
  const given = Atomics.load(ints, ${SUBMITTED});
  if (next === given) {
    Atomics.wait(ints, ${SUBMITTED}, given);
    continue;
  }
  const slot = Atomics.load(ints, ${QUEUE} + ((next >>> 0) % ${SLOTS}));
  if (Atomics.compareExchange(ints, ${TAKEN}, next, (next + 1) | 0) !== next) continue;
  const note = ${NOTES} + slot * ${NOTE_INTS};
  const block = new Uint8Array(memory, slot * ${SLOT_BYTES}, Atomics.load(ints, note));
  digests.set(createHash('sha256').update(block).digest(), slot * ${DIGEST_BYTES});
  Atomics.store(ints, note + 2, crc32(block));
  Atomics.store(ints, note + 1, 1);
  if (Atomics.exchange(ints, ${NOTIFIED}, 1) === 0) parentPort.postMessage(0);
}`;

type Waiter = { readonly resolve: (sums: Sums) => void; readonly reject: (error: Error) => void };

/**
 * Threads that hash blocks in shared memory: nothing is copied, and one short message announces all blocks hashed by
 * then. They do not keep the process alive. Cannot be reused after `end`.
 */
export class HashThreads {
  readonly #most: number;
  /** Untouched pages take no physical memory. */
  readonly #memory = new SharedArrayBuffer(SLOTS * SLOT_BYTES);
  readonly #board = new SharedArrayBuffer(4 * INTS + SLOTS * DIGEST_BYTES);
  readonly #ints = new Int32Array(this.#board, 0, INTS);
  readonly #digests = Buffer.from(this.#board, 4 * INTS);
  readonly #free = Array.from({ length: SLOTS }, (_, slot) => SLOTS - 1 - slot);
  /** Requests waiting for a slot. */
  readonly #queue: { readonly resolve: (slot: number) => void; readonly reject: (error: Error) => void }[] = [];
  /** Blocks being hashed, by slot. */
  readonly #hashing = new Map<number, Waiter>();
  readonly #threads: Worker[] = [];
  readonly #onFailure: () => void;
  #failure: Error | undefined;

  /**
   * @param most - Maximum number of threads; another one is started when the existing ones are busy.
   * @param onFailure - Called once a thread has failed: all pending requests are rejected, and nothing works any
   * longer.
   */
  constructor(most: number, onFailure: () => void) {
    this.#most = most;
    this.#onFailure = onFailure;
  }

  /** Takes a slot of {@link SLOT_BYTES} as soon as one is free. It must be released. */
  take(): Promise<number> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const slot = this.#free.pop();
    if (slot !== undefined) return Promise.resolve(slot);
    return new Promise((resolve, reject) => this.#queue.push({ resolve, reject }));
  }

  giveBack(slot: number): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#free.push(slot);
    else next.resolve(slot);
  }

  /**
   * The first `length` bytes of a slot. `Buffer.fill` writes there faster than `set`, which V8 executes word by word.
   */
  bytes(slot: number, length: number): Buffer {
    return Buffer.from(this.#memory, slot * SLOT_BYTES, length);
  }

  /** Hashes the first `length` bytes of a slot, which must not change meanwhile. */
  hash(slot: number, length: number): Promise<Sums> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const ints = this.#ints;
    const note = NOTES + slot * NOTE_INTS;
    const given = Atomics.load(ints, SUBMITTED);
    Atomics.store(ints, note, length);
    Atomics.store(ints, note + 1, 0);
    Atomics.store(ints, QUEUE + ((given >>> 0) % SLOTS), slot);
    return new Promise((resolve, reject) => {
      this.#hashing.set(slot, { resolve, reject });
      Atomics.store(ints, SUBMITTED, (given + 1) | 0);
      Atomics.notify(ints, SUBMITTED, 1);
      const { length: started } = this.#threads;
      if (started < this.#most && this.#hashing.size > started * BACKLOG) this.#start();
    });
  }

  /** Ends the threads; pending requests are rejected. */
  async end(): Promise<void> {
    this.#fail(new Error('the hashing threads were stopped'));
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  #start(): void {
    const workerData = { memory: this.#memory, board: this.#board };
    const thread = new Worker(THREAD, { eval: true, workerData, execArgv: [], resourceLimits: YOUNG });
    thread.unref();
    thread.once('online', retune);
    thread.on('message', () => {
      this.#collect();
    });
    let cause: Error | undefined;
    thread.once('error', (error) => {
      cause = error;
    });
    thread.once('exit', () => {
      if (this.#failure !== undefined) return;
      this.#fail(new Error(`a hashing thread failed: ${cause?.message ?? 'it exited'}`, { cause }));
      this.#onFailure();
      // The results of the others are no longer needed.
      void this.end();
    });
    this.#threads.push(thread);
  }

  /** Delivers the blocks hashed so far. */
  #collect(): void {
    const ints = this.#ints;
    // Reset before reading: a block hashed after that triggers a new notification.
    Atomics.store(ints, NOTIFIED, 0);
    for (const [slot, { resolve }] of this.#hashing) {
      const note = NOTES + slot * NOTE_INTS;
      if (Atomics.load(ints, note + 1) === 0) continue;
      this.#hashing.delete(slot);
      const at = slot * DIGEST_BYTES;
      resolve({
        digest: Uint8Array.from(this.#digests.subarray(at, at + DIGEST_BYTES)),
        crc: Atomics.load(ints, note + 2) >>> 0,
      });
    }
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    for (const { reject } of [...this.#hashing.values(), ...this.#queue.splice(0)]) reject(this.#failure);
    this.#hashing.clear();
  }
}

/** A thread allocates hardly any objects. */
const YOUNG = { maxYoungGenerationSizeMb: 1 };
