import { merge, type SnapConfig } from '@metamask/snaps-cli';

const KEYRING_PACKAGES = /node_modules[\\/]@metamask[\\/]keyring-(?:api|utils|snap-sdk)[\\/]/u;

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
  // The keyring packages do not say that their modules are free of side effects, though they are. Unsaid,
  // the whole of eth-sig-util would come along.
  customizeWebpackConfig: (webpack) =>
    merge(webpack, { module: { rules: [{ test: KEYRING_PACKAGES, sideEffects: false }] } }),
  server: { enabled: false },
};

export default config;
