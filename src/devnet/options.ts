import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { PORT_COUNT } from './ports';

/** How the devnet is to be run. */
export type Options = {
  /** Whether to run the main job on a chain of its own and end. */
  readonly once: boolean;
  readonly bundler: boolean;
  /** Undefined: the usual ports. */
  readonly portBase: number | undefined;
  /** An absolute path; undefined: nothing is kept. */
  readonly dataDir: string | undefined;
};

export const USAGE = `npm start                        the devnet, until Ctrl-C
npm start -- --no-bundler        without the bundler, whose install is large: signs, but sends nothing
npm start -- --port-base 9000    on ${PORT_COUNT} ports from this one on
npm start -- --data-dir DIR      keep the chain, the files and the keys there
npm start -- --once              sign with every method on a chain of its own, show that it verifies, and end`;

/** The command line cannot be understood; the message says why. */
export class UsageError extends Error {}

const MAX_BASE = 65_536 - PORT_COUNT;

/**
 * @param args - The command line.
 * @returns Undefined if help is wanted.
 * @throws {UsageError} If it cannot be understood.
 */
export function readOptions(args: readonly string[]): Options | undefined {
  const values = parsed(args);
  if (values.help === true) return undefined;
  const { 'port-base': base, 'data-dir': dataDir, once = false, 'no-bundler': noBundler = false } = values;
  if (base !== undefined && (!/^\d{1,5}$/u.test(base) || Number(base) < 1024 || Number(base) > MAX_BASE))
    throw new UsageError(`--port-base must be a number from 1024 to ${MAX_BASE}`);
  if (once && (noBundler || base !== undefined || dataDir !== undefined))
    throw new UsageError('--once stands alone: its chain has free ports, no bundler, and is not kept');
  if (dataDir === '') throw new UsageError('--data-dir must name a folder');
  return {
    once,
    bundler: !noBundler,
    portBase: base === undefined ? undefined : Number(base),
    dataDir: dataDir === undefined ? undefined : resolve(dataDir),
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        once: { type: 'boolean' },
        'no-bundler': { type: 'boolean' },
        'port-base': { type: 'string' },
        'data-dir': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
