import { randomUUID } from 'node:crypto';
import { loadScript, type RedisClient } from '../../runtime/redis';
import { type IndexRecord } from '../blocks/segment';
import { InUseError, type Multihash, type Session } from '../blocks/store';
import { CommandError } from '../errors';
import * as scripts from './scripts';

/** The location of a block: the segment's name, offset and length of the block in it, CRC-32 of the block. */
export type Place = {
  readonly segment: string;
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
};

/** The index is unreachable. Nothing may be acknowledged without it. */
export class IndexUnavailableError extends Error {
  override readonly name = 'IndexUnavailableError';
}

type Scripts = Record<keyof typeof scripts, Awaited<ReturnType<typeof loadScript>>>;

/** A sweep expires this long after its process last renewed it. */
const SWEEP_TTL_MS = 30_000;
/** Blocks per call, so that Redis is never busy for long. */
const CHUNK = 1000;

const textOf = (key: Multihash) => Buffer.from(key).toString('base64');
const keyOf = (text: string): Multihash => Buffer.from(text, 'base64');
const placeText = (segment: string, { offset, length, crc }: Omit<IndexRecord, 'key'>) =>
  `${segment} ${offset} ${length} ${crc}`;

function parsePlace(text: string): Place {
  const [segment = '', offset, length, crc] = text.split(' ');
  return { segment, offset: Number(offset), length: Number(length), crc: Number(crc) };
}

function* chunks<T>(values: readonly T[], size = CHUNK): Generator<T[]> {
  for (let at = 0; at < values.length; at += size) yield values.slice(at, at + size);
}

/** @throws CommandError if a script has answered that blocks cannot be removed yet. */
function mustNotWait(answer: string): void {
  const [, wait] = /^wait (\d+)$/.exec(answer) ?? [];
  if (wait === undefined) return;
  throw new CommandError(`the index was rebuilt after a loss: blocks can be removed in ${wait} seconds`);
}

export type SegmentSize = { readonly segment: string; readonly bytes: number; readonly liveBytes: number };

/** The right to remove blocks, held by one process at a time. */
export type Sweep = {
  /** Removes those of the blocks that no process is using, and returns them. */
  readonly remove: (keys: readonly Multihash[]) => Promise<Multihash[]>;
  /** Announces a segment that is about to be stored, so that no process takes it for one missing from the index. */
  readonly reserve: (segment: string) => Promise<void>;
  /** Registers a segment made from others, and points their blocks to it. */
  readonly move: (
    segment: string,
    bytes: number,
    moved: readonly { record: IndexRecord; from: Place }[],
  ) => Promise<void>;
  /** Forgets a segment; false if something still refers to it. */
  readonly drop: (segment: string) => Promise<boolean>;
  readonly end: () => Promise<void>;
};

/**
 * Block locations, blocks in use, and the right to remove blocks: what the processes of several machines share, in
 * Redis. All of it can be rebuilt from the segments.
 */
export class SharedIndex {
  readonly #client: RedisClient;
  readonly #run: Scripts;
  readonly #prefix: string;
  readonly #keepMs: number;
  readonly #process = randomUUID();
  /** How many sessions of this process keep a block. */
  readonly #kept = new Map<string, number>();

  private constructor(client: RedisClient, run: Scripts, prefix: string, keepMs: number) {
    this.#client = client;
    this.#run = run;
    this.#prefix = prefix;
    this.#keepMs = keepMs;
  }

  /**
   * @param client connected; closed with the index.
   * @param name distinguishes stores in one Redis.
   * @param keepMs a session that lasts longer than this is assumed to belong to a process that died.
   */
  static async open(client: RedisClient, name: string, keepMs: number): Promise<SharedIndex> {
    const loaded = await Promise.all(
      Object.entries(scripts).map(async ([script, source]) => [script, await loadScript(client, source)] as const),
    );
    // The braces put every key in the same slot of a cluster.
    return new SharedIndex(client, Object.fromEntries(loaded) as Scripts, `{keystead:storage:${name}}:`, keepMs);
  }

  /** Calls `again` after every reconnection, because Redis may have lost its data. */
  onReconnect(again: () => void): void {
    this.#client.on('ready', again);
  }

  /**
   * Records the run of Redis that this process is connected to. A new run may have lost touched blocks: they are
   * touched again, and no sweep begins until the sessions of every other process have ended, too.
   */
  async beginRun(hasBlocks: boolean): Promise<void> {
    const info = await this.#request(this.#client.info('server'));
    const run = /run_id:(\w+)/.exec(info)?.[1] ?? '';
    await this.#script('BEGIN_RUN', [run, hasBlocks ? '1' : '0']);
    for (const keys of chunks([...this.#kept.keys()])) await this.#script('TOUCH', [this.#process, ...keys]);
  }

  /** A session whose `touch` resolves to false if Redis has lost its data, so that the index must be checked first. */
  begin(): Pick<Session, 'end'> & { readonly touch: (key: Multihash) => Promise<boolean> } {
    const own = new Set<string>();
    return {
      touch: async (key) => {
        const text = textOf(key);
        if (!own.has(text)) {
          own.add(text);
          this.#kept.set(text, (this.#kept.get(text) ?? 0) + 1);
        }
        return (await this.#script('TOUCH', [this.#process, text])) === 1;
      },
      end: async () => {
        const free: string[] = [];
        for (const text of own) {
          const others = (this.#kept.get(text) ?? 1) - 1;
          if (others > 0) this.#kept.set(text, others);
          else {
            this.#kept.delete(text);
            free.push(text);
          }
        }
        // All at once, so that this process's next requests come after them.
        const releases = [...chunks(free)].map((keys) =>
          this.#script('RELEASE', [this.#process, String(this.#keepMs), ...keys]),
        );
        await Promise.all(releases);
      },
    };
  }

  async find(key: Multihash): Promise<Place | undefined> {
    const text = await this.#request(this.#client.hGet(`${this.#prefix}index`, textOf(key)));
    return text === null ? undefined : parsePlace(text);
  }

  /**
   * Adds the blocks of a segment; blocks already stored elsewhere stay there.
   *
   * @returns False if the segment has been dropped, so that its blocks do not exist.
   */
  async register(segment: string, bytes: number, records: readonly IndexRecord[]): Promise<boolean> {
    for (const some of records.length === 0 ? [[]] : chunks(records)) {
      const entries = some.flatMap((record) => [textOf(record.key), placeText(segment, record)]);
      if ((await this.#script('REGISTER', [segment, String(bytes), ...entries])) !== 1) return false;
    }
    return true;
  }

  /** Forgets a damaged block at `place`, whose segment stays; resolves to whether it was there. */
  async forgetDamaged(key: Multihash, place: Place): Promise<boolean> {
    return (await this.#script('FORGET_DAMAGED', [textOf(key), placeText(place.segment, place)])) === 1;
  }

  /** Whether a block of the segment was damaged when it was read. */
  async isDamaged(segment: string): Promise<boolean> {
    return (await this.#request(this.#client.sIsMember(`${this.#prefix}damaged`, segment))) === 1;
  }

  /** Lets a segment be dropped whose intact blocks are all registered. */
  async giveUpDamaged(segment: string): Promise<void> {
    await this.#request(this.#client.sRem(`${this.#prefix}damaged`, segment));
  }

  /** Whether Redis still has what {@link beginRun} recorded; not after a flush. */
  async hasRun(): Promise<boolean> {
    return (await this.#request(this.#client.exists(`${this.#prefix}run`))) === 1;
  }

  /**
   * Removes a block that no process is using.
   *
   * @param mayGo rejects if something needs it; a block that a session touches from then on stays, too.
   * @returns Whether it existed.
   * @throws InUseError if a session is using it, or has used it since the call; CommandError if that cannot be known
   * yet.
   */
  async remove(key: Multihash, mayGo: () => Promise<void>): Promise<boolean> {
    const removal = [randomUUID(), textOf(key)];
    mustNotWait(String(await this.#script('BEGIN_REMOVAL', [...removal, String(this.#keepMs)])));
    try {
      await mayGo();
      const found = await this.#script('FINISH_REMOVAL', [...removal, String(this.#keepMs)]);
      if (found === -1) throw new InUseError();
      return found === 1;
    } finally {
      await this.#script('END_REMOVAL', removal);
    }
  }

  async segments(): Promise<SegmentSize[]> {
    const [sizes, live] = await this.#request(
      Promise.all([this.#client.hGetAll(`${this.#prefix}sizes`), this.#client.hGetAll(`${this.#prefix}live`)]),
    );
    return Object.entries(sizes).map(([segment, bytes]) => ({
      segment,
      bytes: Number(bytes),
      liveBytes: Number(live[segment] ?? 0),
    }));
  }

  /** Recently dropped segments: nothing in them is needed, and their names are never reused. */
  async dropped(): Promise<string[]> {
    return this.#request(this.#client.zRange(`${this.#prefix}dropped`, 0, -1));
  }

  async count(): Promise<number> {
    return this.#request(this.#client.hLen(`${this.#prefix}index`));
  }

  /** The keys of all blocks, a few at a time; a key that stays the whole time is yielded at least once. */
  async *keys(): AsyncGenerator<Multihash[]> {
    let cursor = '0';
    do {
      // With the values: omitting them requires Redis 7.4.
      const page = await this.#request(this.#client.hScan(`${this.#prefix}index`, cursor, { COUNT: CHUNK }));
      yield page.entries.map(({ field }) => keyOf(field));
      cursor = page.cursor;
    } while (cursor !== '0');
  }

  /** @throws CommandError if a sweep is running, or may not run yet. */
  async beginSweep(): Promise<Sweep> {
    const token = randomUUID();
    const answer = String(await this.#script('BEGIN_SWEEP', [token, String(SWEEP_TTL_MS), String(this.#keepMs)]));
    if (answer === 'running') throw new CommandError('a garbage collection is already running');
    mustNotWait(answer);
    const since = String(Number(answer) - this.#keepMs);
    const alive = setInterval(() => {
      // If this fails, the next step of the sweep fails, too.
      this.#script('RENEW_SWEEP', [token, String(SWEEP_TTL_MS)]).catch(() => undefined);
    }, SWEEP_TTL_MS / 3).unref();
    const step = async (script: keyof Scripts, args: string[]): Promise<unknown> => {
      const result = await this.#script(script, [token, ...args]);
      if (result === null) throw new CommandError('the garbage collection was interrupted; start it again');
      return result;
    };
    return {
      remove: async (keys) => {
        const removed: Multihash[] = [];
        for (const some of chunks(keys)) {
          const texts = (await step('SWEEP', [since, ...some.map(textOf)])) as string[];
          removed.push(...texts.map(keyOf));
        }
        return removed;
      },
      reserve: async (segment) => {
        await step('MOVE', [segment, '0']);
      },
      move: async (segment, bytes, moved) => {
        for (const some of chunks(moved)) {
          const entries = some.flatMap(({ record, from }) => [
            textOf(record.key),
            placeText(from.segment, from),
            placeText(segment, record),
          ]);
          await step('MOVE', [segment, String(bytes), ...entries]);
        }
      },
      drop: async (segment) => (await step('DROP', [segment])) === 1,
      end: async () => {
        clearInterval(alive);
        await this.#script('END_SWEEP', [token, String(this.#keepMs)]);
      },
    };
  }

  async close(): Promise<void> {
    if (this.#client.isOpen) await this.#client.close();
  }

  #script(name: keyof Scripts, args: string[]): Promise<unknown> {
    return this.#request(this.#run[name]([this.#prefix], args));
  }

  async #request<Result>(question: Promise<Result>): Promise<Result> {
    try {
      return await question;
    } catch (error) {
      throw new IndexUnavailableError('the block index in Redis cannot be reached', { cause: error });
    }
  }
}
