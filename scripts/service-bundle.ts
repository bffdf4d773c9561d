import { type BuildOptions } from 'esbuild';

/** Some packages are CommonJS and require Node's modules, which ES modules cannot. */
const REQUIRE = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;

/** How a program for Node is bundled with every package it uses, which starts four times as fast as from packages. */
export const SERVICE_BUNDLE = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Native, so it cannot be bundled: it is the only package that the service loads while it runs.
  external: ['libsql'],
  banner: { js: REQUIRE },
} as const satisfies BuildOptions;

/** The program `keystead`. Parts that few installations need are separate chunks. */
export const SERVICE_PROGRAM = {
  ...SERVICE_BUNDLE,
  entryPoints: { cli: 'src/service/cli/main.ts' },
  splitting: true,
  outdir: 'dist-service',
} as const satisfies BuildOptions;
