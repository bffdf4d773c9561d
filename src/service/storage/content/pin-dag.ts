import { type Session } from '../store/block-store';
import { type Cancellation } from './cancellation';
import { type StoredContent } from './stored-content';
import { type CID } from 'multiformats/cid';
import { Visited } from './visited';
import { allLinks, walk, type Walker } from './walk';
import { CommandError, GivenUpError } from '../errors';
import { mustBeShort, type PinMode } from '../store/pin-store';

/** Who pins, and what the request uses. */
type Pinner = {
  readonly tenant: string;
  /** Bytes that the pins of the tenant may hold together. */
  readonly pinnedBytes: number;
  readonly walker: Walker;
  readonly session: Session;
  readonly cancellation: Cancellation;
};
type Kept = Pick<StoredContent, 'store' | 'limits'>;

type PinOptions = {
  /** Recursive if absent. */
  readonly mode?: PinMode;
  readonly name?: string | undefined;
  /** Bytes of the DAG, if this request has put every block of it, so that none need be looked for. */
  readonly size?: number;
  /** Called for each block that is found. */
  readonly onBlock?: () => Promise<void>;
};

/**
 * Ensures that everything below `root` exists and survives a crash, and protects it from garbage collection until the
 * request ends.
 *
 * @returns The bytes of its blocks.
 * @throws CommandError if a block is missing or cannot be read, Error if the data cannot be made durable.
 */
export async function keepDag(
  root: CID,
  { walker, session }: Pick<Pinner, 'walker' | 'session'>,
  { store }: Pick<Kept, 'store'>,
  { mode = 'recursive', onBlock }: PinOptions = {},
): Promise<number> {
  const load = async (cid: CID) => {
    // Before loading: a block that exists after that stays.
    await session.keep(cid.multihash.bytes, walker.charge);
    return walker.load(cid);
  };
  let size = 0;
  if (mode === 'direct') size = (await load(root)).length;
  else {
    const memory = walker.charge.memory.within();
    const visited = new Visited(memory);
    try {
      for await (const { bytes } of walk({ cid: root }, allLinks, { ...walker, load }, { visited })) {
        size += bytes.length;
        await onBlock?.();
      }
    } finally {
      memory.release();
    }
  }
  // Another request may have just put the blocks without having committed them.
  await store.commit();
  return size;
}

/**
 * Pins a DAG: the only way to a new pin, so none exists that garbage collection could not follow.
 *
 * @throws CommandError that begins with `pin:`, and no pin is made, if the DAG is not whole or the pin store refuses;
 * Error if the data cannot be made durable.
 */
export async function pinDag(
  root: CID,
  call: Pinner,
  { store, pins, limits }: Kept & Pick<StoredContent, 'pins'>,
  options: PinOptions = {},
): Promise<void> {
  const { mode = 'recursive', name } = options;
  try {
    mustBeShort(name, limits.pinNameBytes);
    if (options.size !== undefined) await store.commit();
    const size = options.size ?? (await keepDag(root, call, { store }, options));
    // If the client is gone, do not create a pin that nobody would know about.
    call.cancellation.throwIfCancelled();
    await pins.add(call.tenant, root, mode, name, {
      size,
      most: call.pinnedBytes,
      mostPins: limits.keyPins,
    });
  } catch (error) {
    if (!(error instanceof CommandError) || error instanceof GivenUpError) throw error;
    throw new CommandError(`pin: ${error.message}`, error.code);
  }
}
