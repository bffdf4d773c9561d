import { onOpenStorage } from './command';

/** Shows what the store holds. */
export const runStat = onOpenStorage(async ({ store, pins: book }, { json, output }) => {
  const { blocks, blockBytes } = await store.stat();
  const pins = await book.count();
  output(json ? JSON.stringify({ blocks, blockBytes, pins }) : `${blocks} blocks, ${blockBytes} bytes, ${pins} pins`);
  return 0;
});
