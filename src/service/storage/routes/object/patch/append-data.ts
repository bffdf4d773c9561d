import { dataPatch } from './data';

/** Appending nothing to absent data leaves it absent. */
export const objectPatchAppendData = dataPatch('object/patch/append-data', (before, given) =>
  before === undefined && given.length === 0 ? undefined : Buffer.concat([before ?? given.subarray(0, 0), given]),
);
