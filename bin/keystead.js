#!/usr/bin/env node
// Runs the bundled program, which starts several times as fast as the source. A clone of the repository runs its source
// until `npm run build:service` has bundled it, and again once something in it has changed.
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

import './ready.js';

// While the program is loaded, V8's space for young objects stays as small as it is: what it grows by is hardly given back.
// The program lets it grow, or not, by what it is to do (src/service/runtime/v8-memory.ts).
setFlagsFromString('--semi-space-growth-factor=1');

const source = new URL('../src/', import.meta.url);
const bundle = new URL('../dist-service/cli.js', import.meta.url);

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

if ((changed(fileURLToPath(bundle)) ?? 0) > lastChange(fileURLToPath(source))) {
  await import(bundle.href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('service/cli/main.ts', source).href);
}
