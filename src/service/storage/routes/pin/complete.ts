import { type CID } from 'multiformats/cid';
import { walkDag, walkLimits } from '../../dag/walk';
import { type Call } from '../../route';
import { type StorageService } from '../../service';

/**
 * Ensures that everything below `root` exists and survives a crash, and protects it from garbage collection until the
 * request ends. Yields after each block.
 *
 * @throws CommandError if a block is missing, StoreFailedError if the data cannot be made durable.
 */
export async function* keepWholeDag(
  root: CID,
  { load, session }: Pick<Call<unknown>, 'load' | 'session'>,
  { store, limits }: Pick<StorageService, 'store' | 'limits'>,
): AsyncGenerator<void> {
  const keepThenLoad = async (cid: CID) => {
    // Touch before loading: a block that exists after it was touched stays.
    await session.touch(cid.multihash.bytes);
    return load(cid);
  };
  const bounds = walkLimits(limits);
  for await (const visit of walkDag(root, keepThenLoad, bounds)) {
    void visit;
    yield;
  }
  // Another request may have just put the blocks without having committed them.
  await store.commit();
}
