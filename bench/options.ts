import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { baselineSnap, type Given, givenSnaps } from './runtime/given';

export const PARTS = ['snap', 'waterfall', 'libraries', 'operations', 'state', 'service', 'abuse', 'storage'] as const;
export type Part = (typeof PARTS)[number];

export type Options = {
  readonly parts: readonly Part[];
  /** Additional built snaps to measure. */
  readonly given: Given;
  /** An older build of Keystead. */
  readonly baseline: Given;
  /** The folder of an older build of the service. */
  readonly older: string | undefined;
  /** Attacks of the part `abuse` to measure; all if there are none. */
  readonly attacks: readonly string[];
  /** Determines the order of the subjects in each round. */
  readonly seed: number;
  /** Whether to leave out the production snaps of others. */
  readonly alone: boolean;
  /** Fewer rounds, to check that everything runs; not for publication. Nothing is written. */
  readonly quick: boolean;
};

export const USAGE = `npm run bench                        run everything, next to other snaps and libraries; writes artifacts/benchmarks/
                                     and the tables that the docs cite
npm run bench -- --part snap         run one or more parts: ${PARTS.join(', ')}
npm run bench -- --snap DIR          also measure this built snap, in the parts snap, operations and state
npm run bench -- --baseline DIR      compare with an older build, in the part snap
npm run bench -- --older DIR         compare with an older build of the service, in the part abuse
npm run bench -- --attack NAME       measure one or more attacks of the part abuse; writes nothing
npm run bench -- --seed N            use the order of an earlier run, whose tables show its seed
npm run bench -- --alone             leave out the production snaps of others
npm run bench -- --quick             few rounds, to check that everything runs; writes nothing`;

const SEEDS = 2 ** 32;

const isPart = (name: string): name is Part => (PARTS as readonly string[]).includes(name);

/** @throws If it is not a valid seed. */
function readSeed(text: string | undefined): number {
  if (text === undefined) return randomInt(SEEDS);
  if (!/^\d{1,10}$/u.test(text) || Number(text) >= SEEDS)
    throw new Error(`--seed ${text}: must be a whole number below ${SEEDS}`);
  return Number(text);
}

/**
 * @returns Undefined if help is requested.
 * @throws If an option is unknown, or its value is invalid.
 */
export async function readOptions(args: readonly string[]): Promise<Options | undefined> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: { type: 'string', multiple: true, default: [] },
      snap: { type: 'string', multiple: true, default: [] },
      baseline: { type: 'string' },
      older: { type: 'string' },
      attack: { type: 'string', multiple: true, default: [] },
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
    older: values.older,
    attacks: values.attack,
    seed: readSeed(values.seed),
    alone: values.alone,
    quick: values.quick,
  };
}
