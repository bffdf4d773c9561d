#!/usr/bin/env node
// The package ships the bundled program; a clone of the repository has only its source, and runs that.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

import './ready.js';

// While the program is loaded, V8's space for young objects stays as small as it is: what it grows by is hardly given back.
// The program lets it grow, or not, by what it is to do (src/service/runtime/v8-memory.ts).
setFlagsFromString('--semi-space-growth-factor=1');

const source = new URL('../src/service/cli/main.ts', import.meta.url);

if (existsSync(fileURLToPath(source))) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
} else {
  await import('../dist-service/cli.js');
}
