import { type CID } from 'multiformats/cid';
import { walkDag, walkLimits } from '../../dag/walk';
import { type Limits } from '../../limits';
import { type Call } from '../../route';

/**
 * Makes sure that everything below `root` is here, and keeps it from garbage collection until the request is over.
 * Yields after each block.
 *
 * @throws CommandError when a block is missing.
 */
export async function* keepWholeDag(
  root: CID,
  { load, session }: Pick<Call<unknown>, 'load' | 'session'>,
  limits: Limits,
): AsyncGenerator<void> {
  const keepThenLoad = async (cid: CID) => {
    // In this order: a block that is there after it was touched stays.
    await session.touch(cid.multihash.bytes);
    return load(cid);
  };
  const bounds = walkLimits(limits);
  for await (const visit of walkDag(root, keepThenLoad, bounds)) {
    void visit;
    yield;
  }
}
