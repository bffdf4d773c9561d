import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test vector: who made it, what goes in, what must come out. */
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

/** The whole collections lie beside the repository, where they are at hand; a part of each is in it. */
const FULL = join(root, '../shared/vectors');
const PART = join(root, 'test/vectors/data');

export type VectorSet = { readonly name: string; readonly from: string; readonly vectors: readonly Vector[] };

const load = (folder: string, name: string): readonly Vector[] =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Vector[];

/** @returns The part of a collection that is in the repository. */
export const partOf = (name: string): VectorSet => ({ name, from: 'repository', vectors: load(PART, name) });

/** @returns The whole collection, or undefined where it is not at hand. */
export const fullOf = (name: string): VectorSet | undefined =>
  existsSync(join(FULL, `${name}.json`)) ? { name, from: '../shared', vectors: load(FULL, name) } : undefined;

/**
 * Runs a check over a collection: the part in the repository always; the whole, or a test that is
 * skipped by name where it is not at hand.
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
