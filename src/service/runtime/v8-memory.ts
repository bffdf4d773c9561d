import { setFlagsFromString } from 'node:v8';

/** By how much V8's space for young objects is to grow at a time; undefined as long as nobody has said so. */
let growth: 1 | 2 | undefined;

const growYoungSpaceBy = (factor: 1 | 2): void => {
  growth = factor;
  retune();
};

/** Sets again what a thread that starts sets otherwise, for all threads: by how much the space for young objects grows. */
export const retune = (): void => {
  if (growth !== undefined) setFlagsFromString(`--semi-space-growth-factor=${growth}`);
};

/** After loading, for which `bin/keystead.js` keeps it small: V8's space for young objects grows as it does by default. */
export const tuneForLookUps = (): void => {
  growYoungSpaceBy(2);
};

/**
 * V8's space for young objects stays as small as it is, 1 MiB and its copy, in place of up to 16 and their copy. Large files are
 * no young objects: storing and reading them is as fast, and takes 20 to 40 MiB less at the peak. Uncles are: their look-ups take
 * a fifth more time.
 *
 * All memory is collected once it has grown to four times what the last time left: V8's own most. By itself it makes that less the
 * longer a process runs, down to every 28 MiB of the files that pass through, which is a third of what reading them takes.
 */
export const tuneForFiles = (): void => {
  growYoungSpaceBy(1);
  setFlagsFromString('--heap-growing-percent=300');
};
