import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Collects garbage until nothing is left of it. V8 frees the memory of buffers on another thread, and finishes this at
 * the latest when the next collection starts.
 */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  for (let count = 0; count < 3; count++) {
    gc();
    await new Promise(setImmediate);
  }
}
