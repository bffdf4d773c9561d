import { CID } from 'multiformats/cid';
import { type Charge } from '../../admission/charge';
import { type Share } from '../../admission/share';
import { clientFault, CommandError, GivenUpError } from '../errors';
import { type LoadBlock } from './block-reader';
import { hasLinks, linksOf } from './codecs';
import { type Limits } from './limits';
import { LINK_BYTES } from './weights';
import { type Step, type Visited } from './visited';

/** Limits of one walk. */
export type WalkLimits = {
  /** Levels below the root. */
  readonly depth: number;
  readonly blocks: number;
  /** Bytes of blocks. */
  readonly bytes: number;
  /** Links on all levels together that are still to be followed. */
  readonly pending: number;
};

/** The limits of a request. */
export const walkLimits = ({ dagDepth, dagBlocks, dagBytes, dagPending }: Limits): WalkLimits => ({
  depth: dagDepth,
  blocks: dagBlocks,
  bytes: dagBytes,
  pending: dagPending,
});

/** For an operator's work, which must reach whatever the limits of earlier requests have let in. */
export const UNLIMITED: WalkLimits = { depth: Infinity, blocks: Infinity, bytes: Infinity, pending: Infinity };

/**
 * With what a request walks. `load` ends the walk once the request is cancelled, and lets other requests have their
 * turn.
 */
export type Walker = { readonly load: LoadBlock; readonly limits: WalkLimits; readonly charge: Charge };

/** For an operator's work. */
export const unlimited = (load: LoadBlock, charge: Charge): Walker => ({ load, limits: UNLIMITED, charge });

/** What a block is, and the steps below it in order. */
export type Read<Node, S extends Step> = { readonly node: Node; readonly below: readonly S[] };
export type ReadStep<Node, S extends Step> = (step: S, bytes: Uint8Array) => Read<Node, S>;
export type Visit<Node, S extends Step> = Read<Node, S> & { readonly step: S; readonly bytes: Uint8Array };

/** Every link of a block. @throws CommandError if the block cannot be decoded. */
export const allLinks = ({ cid }: Step, bytes: Uint8Array): Read<undefined, Step> => ({
  node: undefined,
  below: linksOf(cid, bytes),
});

/** The same for blocks of which only those that may have links were read. */
export const knownLinks = (step: Step, bytes: Uint8Array): Read<undefined, Step> =>
  hasLinks(step.cid) ? allLinks(step, bytes) : { node: undefined, below: [] };

type WalkOptions = {
  /** Blocks that are not visited again; grows. Without it, a block is visited as often as it is linked to. */
  readonly visited?: Visited;
  /** Called for a block that is missing or cannot be read; the walk goes on without it. */
  readonly onLost?: (cid: CID, error: CommandError) => void;
};

/** Blocks that are read before they are visited, since they are probably leaves. */
const AHEAD = 4;
/** What such a block counts as until its size is known. */
const AHEAD_BYTES = 2 << 20;

/** The steps below one block. */
class Level<S extends Step> {
  readonly depth: number;
  /** What is kept for it in memory, until its last step is taken. */
  readonly memory: number;
  #steps: readonly S[];
  readonly #ahead: Promise<Uint8Array>[] = [];
  #next = 0;

  /** @param blockBytes - Of the block that the steps come from: they refer to it. */
  constructor(steps: readonly S[], depth: number, blockBytes: number) {
    this.#steps = steps;
    this.depth = depth;
    this.memory = steps.length * LINK_BYTES + blockBytes;
  }

  get isDone(): boolean {
    return this.#next === this.#steps.length;
  }

  /** The next step, and its block if it is being read. */
  next(): { readonly step: S; readonly reading: Promise<Uint8Array> | undefined } | undefined {
    const step = this.#steps[this.#next++];
    if (step === undefined) return undefined;
    const reading = this.#ahead.shift();
    if (!this.isDone) return { step, reading };
    // The last one may take its time. Neither the others nor the block with them are kept for it.
    this.#steps = [];
    this.#next = 0;
    return { step: { ...step, cid: CID.decode(step.cid.bytes.slice()) }, reading };
  }

  /** Begins to read the next few blocks, as long as there is ample memory for them. */
  readAhead(load: (step: S) => Promise<Uint8Array>, memory: Share): void {
    while (this.#ahead.length < AHEAD && memory.isAmple) {
      const step = this.#steps[this.#next + this.#ahead.length];
      if (step === undefined) return;
      const reading = load(step);
      // Whoever visits the block sees the failure.
      reading.catch(() => undefined);
      this.#ahead.push(reading);
    }
  }

  /** Resolves once nothing is being read. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#ahead);
  }
}

/**
 * Visits blocks from a root down, depth first in the order of their links: the only walk of a DAG. What it keeps in
 * memory is charged to the request.
 *
 * @param root - Where it begins.
 * @param read - Decodes a block, and says which blocks below it are visited.
 * @param walker - Loads blocks; the limits; the charge.
 * @throws CommandError if a block is missing or cannot be read, unless there is `onLost`; if a limit is exceeded.
 * @throws GivenUpError if the request was cancelled.
 */
export async function* walk<Node, S extends Step>(
  root: S,
  read: ReadStep<Node, S>,
  { load, limits, charge: { memory } }: Walker,
  { visited, onLost }: WalkOptions = {},
): AsyncGenerator<Visit<Node, S>> {
  const held = memory.within();
  const levels: Level<S>[] = [];
  const enter = (level: Level<S>) => {
    held.charge(level.memory);
    levels.push(level);
  };
  const loadStep = async ({ cid, bytes }: S) => {
    const loaded = bytes ?? (await load(cid));
    held.count(loaded.length);
    return loaded;
  };
  const loadAhead = async (step: S) => {
    held.count(AHEAD_BYTES);
    try {
      return await loadStep(step);
    } finally {
      held.give(AHEAD_BYTES);
    }
  };
  let pending = 1;
  let blocks = 0;
  let size = 0;
  try {
    enter(new Level([root], 0, 0));
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const next = level.next();
      if (level.isDone) {
        levels.pop();
        held.give(level.memory);
      }
      if (next === undefined) continue;
      pending--;
      const { step, reading } = next;
      const noted = visited === undefined ? 'block' : visited.note(step);
      if (noted === undefined) {
        held.give(await lengthOf(reading));
        continue;
      }
      const loading = reading ?? loadStep(step);
      let visit = await visitOf(step, loading, read, onLost);
      if (visit === undefined) {
        held.give(await lengthOf(loading));
        continue;
      }
      const bytes = visit.bytes.length;
      if (++blocks > limits.blocks) throw clientFault(`the DAG has more than the allowed ${limits.blocks} blocks`);
      if ((size += bytes) > limits.bytes) throw clientFault(`the DAG has more than the allowed ${limits.bytes} bytes`);
      const { below } = visit;
      // Whoever takes the block may take its time.
      if (below.length === 0) level.readAhead(loadAhead, memory);
      if (noted === 'block') yield visit;
      // It would be kept until the next one is read.
      visit = undefined;
      held.give(bytes);
      if (below.length === 0) continue;
      if (level.depth >= limits.depth) throw clientFault(`the DAG is deeper than the allowed ${limits.depth} levels`);
      if ((pending += below.length) > limits.pending)
        throw clientFault(`the DAG has more than the allowed ${limits.pending} links side by side`);
      enter(new Level(below, level.depth + 1, bytes));
    }
  } finally {
    await Promise.all(levels.map((level) => level.settled()));
    held.release();
  }
}

/** The bytes that a block takes, if it could be read. */
async function lengthOf(loading: Promise<Uint8Array> | undefined): Promise<number> {
  try {
    return (await loading)?.length ?? 0;
  } catch {
    return 0;
  }
}

/** Reads a block; undefined if it is lost. */
async function visitOf<Node, S extends Step>(
  step: S,
  loading: Promise<Uint8Array>,
  read: ReadStep<Node, S>,
  onLost: WalkOptions['onLost'],
): Promise<Visit<Node, S> | undefined> {
  try {
    const bytes = await loading;
    return { step, bytes, ...read(step, bytes) };
  } catch (error) {
    if (!(error instanceof CommandError) || error instanceof GivenUpError || onLost === undefined) throw error;
    onLost(step.cid, error);
    return undefined;
  }
}
