import type { SnapConfig } from '@metamask/snaps-cli';

/**
 * What `mm-snap build` is told. `scripts/build.ts` stages the output folder and
 * sets the two variables; the defaults are those of a production build.
 */
const config: SnapConfig = {
  input: 'src/index.ts',
  output: { path: process.env.KEYSTEAD_OUT ?? 'dist', filename: 'bundle.js', minimize: true },
  manifest: { path: `${process.env.KEYSTEAD_OUT ?? 'dist'}/snap.manifest.json`, update: true },
  environment: { KEYSTEAD_COMPANION_ORIGINS: process.env.KEYSTEAD_COMPANION_ORIGINS ?? '[]' },
  sourceMap: false,
  server: { enabled: false },
};

export default config;
