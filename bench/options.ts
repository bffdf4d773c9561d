import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import { type Given, givenSnaps } from './snap/given';

export const PARTS = ['snap', 'service', 'abuse'] as const;
export type Part = (typeof PARTS)[number];

export type Options = {
  readonly parts: readonly Part[];
  /** Additional built snaps to measure. */
  readonly given: Given;
  /** The folder of an older build of the service. */
  readonly older: string | undefined;
  /** Attacks of the part `abuse` to measure; all if there are none. */
  readonly attacks: readonly string[];
  /** Determines the order of the subjects in each round. */
  readonly seed: number;
  /** Fewer rounds, to check that everything runs; not for publication. Nothing is written. */
  readonly quick: boolean;
};

export const USAGE = `npm run bench                        run everything; writes artifacts/benchmarks/ and the tables that the docs cite
npm run bench -- --part snap         run one or more parts: ${PARTS.join(', ')}
npm run bench -- --snap DIR          also measure this built snap: another keyring, or an older build
npm run bench -- --older DIR         compare with an older build of the service, in the part abuse
npm run bench -- --attack NAME       measure one or more attacks of the part abuse; writes nothing
npm run bench -- --seed N            use the order of an earlier run, whose tables show its seed
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
      older: { type: 'string' },
      attack: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string' },
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
    older: values.older,
    attacks: values.attack,
    seed: readSeed(values.seed),
    quick: values.quick,
  };
}
