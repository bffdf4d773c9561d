#!/usr/bin/env node
// The package ships the bundled program; a clone of the repository has only its source, and runs that.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import './ready.js';

const source = new URL('../src/service/cli.ts', import.meta.url);

if (existsSync(fileURLToPath(source))) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
} else {
  await import('../dist-service/cli.js');
}
