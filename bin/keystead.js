#!/usr/bin/env node
// Runs the bundled program, which starts several times as fast as the source. A clone of the repository runs its source
// until `npm run build:service` has bundled it, and again once something in it has changed.
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

import './ready.js';

// Keep V8's young generation small while loading: it hardly shrinks again once it has grown. The program then sets its
// growth to suit its work (src/service/runtime/v8-memory.ts).
if (isMainThread) setFlagsFromString('--semi-space-growth-factor=1');

const source = new URL('../src/', import.meta.url);
const bundle = new URL('../dist-service/cli.js', import.meta.url);
const lock = new URL('../package-lock.json', import.meta.url);

/** When a file was changed, in milliseconds; undefined if it is not there. */
const changed = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

/** When something in a folder was changed last, in milliseconds; 0 if it is not there. */
function lastChange(folder) {
  if (changed(folder) === undefined) return 0;
  return Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true }).map(
      ({ parentPath, path, name }) => changed(`${parentPath ?? path}/${name}`) ?? 0,
    ),
  );
}

/** What the bundle is made from: the source, and the packages that the lock file names. Neither is in the package. */
const newest = Math.max(lastChange(fileURLToPath(source)), changed(fileURLToPath(lock)) ?? 0);

if ((changed(fileURLToPath(bundle)) ?? 0) > newest) {
  await import(bundle.href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('service/cli/main.ts', source).href);
}
