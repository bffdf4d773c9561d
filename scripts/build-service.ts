import { cpSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'dist-service');

/** Native, so it cannot be bundled: it is the only package that the service loads while it runs. */
const EXTERNAL = ['libsql'];

/** Some packages are CommonJS and require Node's modules, which ES modules cannot. */
const REQUIRE = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;

rmSync(folder, { recursive: true, force: true });

/** Bundles the service with every package it uses except libsql. Parts that few installations need are separate chunks. */
await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/service/cli/main.ts' },
  bundle: true,
  splitting: true,
  outdir: folder,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  external: EXTERNAL,
  banner: { js: REQUIRE },
  // The licences of what is in it.
  legalComments: 'eof',
  logLevel: 'warning',
});

// For `archive import --sample`.
cpSync(join(root, 'src/devnet/archive/mainnet-0-670.rlp.gz'), join(folder, 'sample/mainnet-0-670.rlp.gz'));
