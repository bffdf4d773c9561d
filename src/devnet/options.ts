import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { PORT_COUNT } from './ports';

/** The options of the devnet. */
export type Options = {
  /** Whether to run the main flow on a temporary chain and exit. */
  readonly once: boolean;
  readonly bundler: boolean;
  /** Undefined: the default ports. */
  readonly portBase: number | undefined;
  /** An absolute path; undefined: nothing is kept. */
  readonly dataDir: string | undefined;
};

export const USAGE = `npm start                        run the devnet until Ctrl-C
npm start -- --no-bundler        without the bundler, which is a large download: smart accounts can sign, but not send
npm start -- --port-base 9000    use ${PORT_COUNT} consecutive ports from this one
npm start -- --data-dir DIR      keep the chain, files and keys in this folder
npm start -- --once              sign with every method on a temporary chain, verify the signatures, and exit`;

/** The command line is invalid; the message says why. */
export class UsageError extends Error {}

const MAX_BASE = 65_536 - PORT_COUNT;

/**
 * @param args - The command line.
 * @returns Undefined if help is requested.
 * @throws {UsageError} If it is invalid.
 */
export function readOptions(args: readonly string[]): Options | undefined {
  const values = parsed(args);
  if (values.help === true) return undefined;
  const { 'port-base': base, 'data-dir': dataDir, once = false, 'no-bundler': noBundler = false } = values;
  if (base !== undefined && (!/^\d{1,5}$/u.test(base) || Number(base) < 1024 || Number(base) > MAX_BASE))
    throw new UsageError(`--port-base must be a number from 1024 to ${MAX_BASE}`);
  if (once && (noBundler || base !== undefined || dataDir !== undefined))
    throw new UsageError(
      '--once cannot be combined with other options: it uses free ports, no bundler, and keeps nothing',
    );
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
