import { type ChainClient } from './contracts';

/** Milliseconds between two blocks. */
const BLOCK_TIME = 50;

/**
 * Lets blocks come until something is over, as on any other chain: anvil makes one of what it is sent, and no other.
 * Who looks with each block, and began to look a moment after that one, would wait for ever.
 *
 * @returns What came of it.
 */
export async function whileBlocksCome<T>(chain: ChainClient, work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  void work.then(over, over);
  while (!isOver) {
    await chain.mine({ blocks: 1 });
    await new Promise((resolve) => setTimeout(resolve, BLOCK_TIME));
  }
  return work;
}
