import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The inputs of a build: files and folders, and excluded folders in them; all relative to the root. */
export type Inputs = { readonly from: readonly string[]; readonly without: readonly string[] };

function* filesIn(root: string, path: string, without: readonly string[]): Generator<string> {
  if (without.includes(relative(root, path))) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) yield* filesIn(root, join(path, name), without);
}

/**
 * @param root - Folder of the repository.
 * @returns SHA-256 of the names and bytes of all inputs, in hex; equal inputs have equal fingerprints.
 */
export function fingerprint(root: string, { from, without }: Inputs): string {
  const hash = createHash('sha256');
  for (const input of from) {
    for (const file of filesIn(root, join(root, input), without))
      hash
        .update(`${relative(root, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex');
}
