import { Worker } from 'node:worker_threads';
import { retune } from '../../runtime/v8-memory';

/** SHA2-256 and CRC-32 of one block. */
export type Sums = { readonly digest: Uint8Array; readonly crc: number };

/** Blocks that are held at once. A power of two, so that positions in the queue go on rightly where counters overflow. */
const SLOTS = 32;
/** Bytes of the largest block that a slot holds: a leaf as large as chunks may be, with its framing. */
export const SLOT_BYTES = (1 << 20) + 4096;
/** What the threads know of a slot and leave in it: the block's length, whether it is hashed, CRC-32, SHA2-256. */
const NOTE_INTS = 3;
const DIGEST_BYTES = 32;
/** Counters: blocks handed over, blocks taken up, whether this side has been told of hashed ones. Then the queue of slots. */
const [GIVEN, TAKEN, TOLD, QUEUE] = [0, 1, 2, 3];
const NOTES = QUEUE + SLOTS;
const INTS = NOTES + SLOTS * NOTE_INTS;
/** Blocks that wait for each thread before another one is started. */
const BACKLOG = 4;

/** What a thread runs. Text, since one file of it would be found neither from the bundled program nor from the sources. */
const THREAD = `const { parentPort, workerData: { memory, board } } = require('node:worker_threads');
const { createHash } = require('node:crypto');
const { crc32 } = require('node:zlib');
const ints = new Int32Array(board, 0, ${INTS});
const digests = new Uint8Array(board, ${4 * INTS});
for (;;) {
  // In this order: what was given is then never less than what another thread has taken up meanwhile.
  const next = Atomics.load(ints, ${TAKEN});
  const given = Atomics.load(ints, ${GIVEN});
  if (next === given) {
    Atomics.wait(ints, ${GIVEN}, given);
    continue;
  }
  const slot = Atomics.load(ints, ${QUEUE} + ((next >>> 0) % ${SLOTS}));
  if (Atomics.compareExchange(ints, ${TAKEN}, next, (next + 1) | 0) !== next) continue;
  const note = ${NOTES} + slot * ${NOTE_INTS};
  const block = new Uint8Array(memory, slot * ${SLOT_BYTES}, Atomics.load(ints, note));
  digests.set(createHash('sha256').update(block).digest(), slot * ${DIGEST_BYTES});
  Atomics.store(ints, note + 2, crc32(block));
  Atomics.store(ints, note + 1, 1);
  if (Atomics.exchange(ints, ${TOLD}, 1) === 0) parentPort.postMessage(0);
}`;

type Waiter = { readonly resolve: (sums: Sums) => void; readonly reject: (error: Error) => void };

/**
 * Threads that hash blocks in memory that they share with the one that fills it: nothing is copied, and one short message
 * tells of as many blocks as are hashed by then. They do not keep a process alive. What was ended cannot be used again.
 */
export class HashThreads {
  readonly #most: number;
  /** Untouched pages of it take no room. */
  readonly #memory = new SharedArrayBuffer(SLOTS * SLOT_BYTES);
  readonly #board = new SharedArrayBuffer(4 * INTS + SLOTS * DIGEST_BYTES);
  readonly #ints = new Int32Array(this.#board, 0, INTS);
  readonly #digests = Buffer.from(this.#board, 4 * INTS);
  readonly #free = Array.from({ length: SLOTS }, (_, slot) => SLOTS - 1 - slot);
  /** Who waits for a slot. */
  readonly #queue: { readonly resolve: (slot: number) => void; readonly reject: (error: Error) => void }[] = [];
  /** Blocks being hashed, by slot. */
  readonly #hashing = new Map<number, Waiter>();
  readonly #threads: Worker[] = [];
  readonly #onFailure: () => void;
  #failure: Error | undefined;

  /**
   * @param most - Threads that are started at most; another one is when those there are have enough to do.
   * @param onFailure - Called once a thread has failed: whoever waits gets the error, and nothing works any more.
   */
  constructor(most: number, onFailure: () => void) {
    this.#most = most;
    this.#onFailure = onFailure;
  }

  /** Takes a slot of {@link SLOT_BYTES}, once one is free. It must be given back. */
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

  /** The first `length` bytes of a slot. `Buffer.fill` writes there faster than `set`, which V8 makes word by word. */
  bytes(slot: number, length: number): Buffer {
    return Buffer.from(this.#memory, slot * SLOT_BYTES, length);
  }

  /** Hashes the first `length` bytes of a slot, which must not change meanwhile. */
  hash(slot: number, length: number): Promise<Sums> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const ints = this.#ints;
    const note = NOTES + slot * NOTE_INTS;
    const given = Atomics.load(ints, GIVEN);
    Atomics.store(ints, note, length);
    Atomics.store(ints, note + 1, 0);
    Atomics.store(ints, QUEUE + ((given >>> 0) % SLOTS), slot);
    return new Promise((resolve, reject) => {
      this.#hashing.set(slot, { resolve, reject });
      Atomics.store(ints, GIVEN, (given + 1) | 0);
      Atomics.notify(ints, GIVEN, 1);
      const { length: started } = this.#threads;
      if (started < this.#most && this.#hashing.size > started * BACKLOG) this.#start();
    });
  }

  /** Ends the threads; whoever still waits is told. */
  async end(): Promise<void> {
    this.#fail(new Error('the threads that hash blocks were ended'));
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
      this.#fail(new Error(`a thread that hashes blocks failed: ${cause?.message ?? 'it ended'}`, { cause }));
      this.#onFailure();
      // What the others do is for nobody.
      void this.end();
    });
    this.#threads.push(thread);
  }

  /** Tells of the blocks that are hashed by now. */
  #collect(): void {
    const ints = this.#ints;
    // Before looking: what is hashed after the look is told of again.
    Atomics.store(ints, TOLD, 0);
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

/** A thread makes hardly any objects. */
const YOUNG = { maxYoungGenerationSizeMb: 1 };
