import { cpSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { SERVICE_PROGRAM } from './service-bundle';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'dist-service');

rmSync(folder, { recursive: true, force: true });

/** Bundles the service with every package it uses except libsql. */
await build({
  absWorkingDir: root,
  ...SERVICE_PROGRAM,
  chunkNames: 'chunks/[name]-[hash]',
  // The licences of what is in it.
  legalComments: 'eof',
  logLevel: 'warning',
});

// For `archive import --sample`.
cpSync(join(root, 'src/devnet/archive/mainnet-0-670.rlp.gz'), join(folder, 'sample/mainnet-0-670.rlp.gz'));
