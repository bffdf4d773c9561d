import { resolve } from 'node:path';

import { merge, type SnapConfig } from '@metamask/snaps-cli';
import TerserPlugin from 'terser-webpack-plugin';

const KEYRING_PACKAGES = /node_modules[\\/]@metamask[\\/]keyring-(?:api|utils)[\\/]/u;

/** What every wallet that runs snaps understands, and what the bundle is: a scope of its own. */
const OPTIONS = { ecma: 2022, module: true, compress: { passes: 3, unsafe_arrows: true } } as const;

/**
 * Two minifiers, one after the other: each finds what the other leaves. No function expression of the bundle is a
 * constructor, so those without `this` may become arrow functions.
 */
const MINIFIER = new TerserPlugin({
  extractComments: false,
  minify: [TerserPlugin.terserMinify, TerserPlugin.swcMinify],
  terserOptions: [OPTIONS, { ...OPTIONS, mangle: { toplevel: true } }],
});

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
  // The keyring packages, of which only types are used, do not say that their modules are free of side effects,
  // though they are. Unsaid, the whole of eth-sig-util would come along.
  customizeWebpackConfig: (webpack) => ({
    ...merge(webpack, {
      module: { rules: [{ test: KEYRING_PACKAGES, sideEffects: false }] },
      resolve: { alias: { '@metamask/snaps-sdk/jsx-runtime': resolve('src/platform/jsx-runtime.ts') } },
    }),
    optimization: { minimize: true, nodeEnv: false, minimizer: [MINIFIER] },
  }),
  server: { enabled: false },
};

export default config;
