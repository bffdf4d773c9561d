#!/usr/bin/env node
// The published package has the bundled program; a clone of the repository runs from source.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

import './ready.js';

// Keep V8's young generation small while loading: it hardly shrinks again once it has grown. The program then sets its
// growth to suit its work (src/service/runtime/v8-memory.ts).
setFlagsFromString('--semi-space-growth-factor=1');

const source = new URL('../src/service/cli/main.ts', import.meta.url);

if (existsSync(fileURLToPath(source))) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
} else {
  await import('../dist-service/cli.js');
}
