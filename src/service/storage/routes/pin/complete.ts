import { type CID } from 'multiformats/cid';
import { walkDag, walkLimits } from '../../dag/walk';
import { type Call } from '../../route';
import { type StorageService } from '../../service';

/**
 * Makes sure that everything below `root` is here and survives a crash, and keeps it from garbage collection until the
 * request is over. Yields after each block.
 *
 * @throws CommandError when a block is missing, StoreFailedError when the disk does not take what is there.
 */
export async function* keepWholeDag(
  root: CID,
  { load, session }: Pick<Call<unknown>, 'load' | 'session'>,
  { store, limits }: Pick<StorageService, 'store' | 'limits'>,
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
  // Another request may have just put them, and is not answered yet.
  await store.commit();
}
