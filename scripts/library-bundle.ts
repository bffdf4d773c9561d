import { type BuildOptions } from 'esbuild';

/** The modules in `exports` of `package.json`, with their types. */
export const ENTRIES = {
  provider: 'src/provider/index.ts',
  clients: 'src/clients/index.ts',
  testing: 'src/testing/index.ts',
} as const;

/** A separate module per client, so that a bundler can drop unused ones. */
const PARTS = {
  'parts/bundler': 'src/clients/library-bundler.ts',
  'parts/dag': 'src/clients/storage/dag.ts',
  'parts/node': 'src/clients/node.ts',
  'parts/paymaster': 'src/clients/paymaster.ts',
  'parts/storage': 'src/clients/storage/index.ts',
} as const;

/** The published library: ES modules without dependencies. */
export const LIBRARY_BUNDLE = {
  entryPoints: { ...ENTRIES, ...PARTS },
  outdir: 'dist-lib',
  chunkNames: 'parts/[name]-[hash]',
  bundle: true,
  // viem's WebSockets, which are unused here, resolve to Node's modules.
  external: ['isows'],
  splitting: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
} satisfies BuildOptions;
