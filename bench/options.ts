import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { manifestOf } from './runtime/systems';

export const PARTS = ['snap', 'waterfall', 'libraries', 'operations', 'state', 'service', 'storage'] as const;
export type Part = (typeof PARTS)[number];

export type Options = {
  readonly parts: readonly Part[];
  /** Folders of built snaps that are measured along, by name. */
  readonly others: Readonly<Record<string, string>>;
  /** Whether the production snaps of others are left out. */
  readonly alone: boolean;
  /** Fewer rounds: to see that everything runs, not to quote. Nothing is written. */
  readonly quick: boolean;
};

const isPart = (name: string): name is Part => (PARTS as readonly string[]).includes(name);

function snapFolder(path: string): [string, string] {
  const folder = resolve(path);
  if (!existsSync(join(folder, 'snap.manifest.json')))
    throw new Error(`--snap ${path}: must be the folder of a built snap, with its snap.manifest.json`);
  if (manifestOf(folder).initialPermissions['endowment:keyring'] === undefined)
    throw new Error(`--snap ${path}: must be a keyring, with endowment:keyring in its manifest`);
  return [basename(folder).replace(/[^A-Za-z0-9.-]/gu, '-'), folder];
}

/** @throws If an option is none, or names nothing. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      part: { type: 'string', multiple: true, default: [] },
      snap: { type: 'string', multiple: true, default: [] },
      alone: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  });
  const parts = values.part.flatMap((part) => part.split(','));
  const unknown = parts.find((part) => !isPart(part));
  if (unknown !== undefined) throw new Error(`--part ${unknown}: must be one of ${PARTS.join(', ')}`);
  return {
    parts: parts.length === 0 ? PARTS : parts.filter(isPart),
    others: Object.fromEntries(values.snap.map(snapFolder)),
    alone: values.alone,
    quick: values.quick,
  };
}
