import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { baselineSnap, type Given, givenSnaps } from './runtime/given';

export const PARTS = ['snap', 'waterfall', 'libraries', 'operations', 'state', 'service', 'storage'] as const;
export type Part = (typeof PARTS)[number];

export type Options = {
  readonly parts: readonly Part[];
  /** Built snaps that are measured along. */
  readonly given: Given;
  /** An older build of ours. */
  readonly baseline: Given;
  /** Decides the order in which the subjects of a table take turns. */
  readonly seed: number;
  /** Whether the production snaps of others are left out. */
  readonly alone: boolean;
  /** Fewer rounds: to see that everything runs, not to quote. Nothing is written. */
  readonly quick: boolean;
};

export const USAGE = `npm run bench                        everything, beside the snaps and libraries of others; writes docs/benchmarks/
npm run bench -- --part snap         one part, or several: ${PARTS.join(', ')}
npm run bench -- --snap DIR          one built snap more, in the parts snap, operations and state
npm run bench -- --baseline DIR      an older build of ours beside this one, in the part snap
npm run bench -- --seed N            the order of an earlier run, whose tables name its seed
npm run bench -- --alone             without the production snaps of others
npm run bench -- --quick             few rounds, to see that everything runs; writes nothing`;

const SEEDS = 2 ** 32;

const isPart = (name: string): name is Part => (PARTS as readonly string[]).includes(name);

/** @throws If it is not a seed. */
function readSeed(text: string | undefined): number {
  if (text === undefined) return randomInt(SEEDS);
  if (!/^\d{1,10}$/u.test(text) || Number(text) >= SEEDS)
    throw new Error(`--seed ${text}: must be a whole number below ${SEEDS}`);
  return Number(text);
}

/**
 * @returns Undefined if help is wanted.
 * @throws If an option is unknown, or its value is not one.
 */
export async function readOptions(args: readonly string[]): Promise<Options | undefined> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: { type: 'string', multiple: true, default: [] },
      snap: { type: 'string', multiple: true, default: [] },
      baseline: { type: 'string' },
      seed: { type: 'string' },
      alone: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const parts = values.part.flatMap((part) => part.split(','));
  const unknown = parts.find((part) => !isPart(part));
  if (unknown !== undefined) throw new Error(`--part ${unknown}: must be one of ${PARTS.join(', ')}`);
  return {
    parts: parts.length === 0 ? PARTS : parts.filter(isPart),
    given: await givenSnaps(values.snap),
    baseline: values.baseline === undefined ? { folders: {}, notes: [] } : await baselineSnap(values.baseline),
    seed: readSeed(values.seed),
    alone: values.alone,
    quick: values.quick,
  };
}
