import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test vector: its source, input and expected output. */
export type Vector = {
  readonly id: string;
  readonly source: string;
  readonly method: string;
  readonly privateKey: `0x${string}`;
  readonly params: readonly unknown[];
  readonly expected?: unknown;
  readonly expectError?: string;
};

const root = join(__dirname, '../..');

/** The repository contains a part of each collection. The full collections may be in a directory beside it. */
const FULL = join(root, '../shared/vectors');
const PART = join(root, 'test/vectors/data');

export type VectorSet = { readonly name: string; readonly from: string; readonly vectors: readonly Vector[] };

const load = (folder: string, name: string): readonly Vector[] =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Vector[];

/** @returns The part of a collection that is in the repository. */
export const partOf = (name: string): VectorSet => ({ name, from: 'repository', vectors: load(PART, name) });

/** @returns The full collection, or undefined if it is not available. */
export const fullOf = (name: string): VectorSet | undefined =>
  existsSync(join(FULL, `${name}.json`)) ? { name, from: '../shared', vectors: load(FULL, name) } : undefined;

/**
 * Runs a check over a collection: always over the part in the repository, and over the full collection if it is
 * available. Otherwise that test is skipped by name.
 */
export function describeVectors(name: string, check: (vector: Vector) => Promise<void> | void): void {
  const part = partOf(name);
  it(`${name}: ${part.vectors.length} vectors of the repository`, async () => {
    for (const vector of part.vectors) await check(vector);
  });
  const full = fullOf(name);
  if (full === undefined) {
    it.skip(`${name}: all vectors (skipped: ../shared/vectors is not here)`, () => undefined);
    return;
  }
  it(`${name}: all ${full.vectors.length} vectors of ../shared`, async () => {
    for (const vector of full.vectors) await check(vector);
  });
}
