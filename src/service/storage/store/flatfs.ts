import { base32upper } from 'multiformats/bases/base32';
import { type Multihash } from './block-store';

/**
 * The names of block files, as Kubo's `flatfs` datastore has them: the multihash in base 32, in a folder named after
 * its next-to-last two characters.
 *
 * @see https://github.com/ipfs/go-ds-flatfs
 */
export const SHARDING = '/repo/flatfs/shard/v1/next-to-last/2\n';

const EXTENSION = '.data';
const FOLDER = /^[0-9A-Z_]{2}$/u;

/** The folder and the name of a block's file. */
export function fileOf(key: Multihash): { readonly folder: string; readonly file: string } {
  const name = base32upper.encode(key).slice(1);
  return { folder: name.slice(-3, -1), file: `${name}${EXTENSION}` };
}

/** Whether a folder may hold blocks. */
export const isBlockFolder = (name: string): boolean => FOLDER.test(name);

/** The block of a file; undefined if it is no block's name, or is in the wrong folder. */
export function keyOfFile(folder: string, file: string): Multihash | undefined {
  if (!file.endsWith(EXTENSION)) return undefined;
  try {
    const key = base32upper.decode(`B${file.slice(0, -EXTENSION.length)}`);
    const expected = fileOf(key);
    return expected.folder === folder && expected.file === file ? key : undefined;
  } catch {
    return undefined;
  }
}
