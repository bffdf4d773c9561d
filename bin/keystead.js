#!/usr/bin/env node
// The package ships the bundled program; a clone of the repository has only its source, and runs that.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// What a request makes is garbage once it is answered, so V8's space for young objects need not grow to 32 MiB: a small
// one is collected more often, in less time each. Before any module is loaded: that alone would let it grow to 16.
if (process.argv[2] === 'serve') setFlagsFromString('--semi-space-growth-factor=1');

const source = new URL('../src/service/cli.ts', import.meta.url);

if (existsSync(fileURLToPath(source))) {
  const { register } = await import('tsx/esm/api');
  register();
  await import(source.href);
} else {
  await import('../dist-service/cli.js');
}
