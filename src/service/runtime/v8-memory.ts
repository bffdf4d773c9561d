import { setFlagsFromString } from 'node:v8';

/** Sets the growth factor of V8's young generation. */
const growYoungSpaceBy = (factor: 1 | 2): void => {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
};

/** Restores V8's default growth of the young generation, after `bin/keystead.js` has kept it small during loading. */
export const tuneForLookUps = (): void => {
  growYoungSpaceBy(2);
};

/**
 * Keeps V8's young generation at 1 MiB per semi-space instead of up to 16. Large files are not allocated there: storing
 * and reading them is as fast, with a 20 to 40 MiB lower peak. Uncle lookups are: they would take a fifth more time.
 *
 * A full collection runs once the heap has grown to four times its size after the last one, V8's maximum factor. By
 * itself V8 lowers the factor the longer a process runs, down to a collection for every 28 MiB of file data, which
 * takes a third of the time of reading files.
 */
export const tuneForFiles = (): void => {
  growYoungSpaceBy(1);
  setFlagsFromString('--heap-growing-percent=300');
};
