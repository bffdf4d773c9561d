import { dataPatch } from './data';

export const objectPatchSetData = dataPatch('object/patch/set-data', (_before, given) => given);
