import { resolve } from 'node:path';

import { merge, type SnapConfig } from '@metamask/snaps-cli';
import TerserPlugin from 'terser-webpack-plugin';

import { functionsAsArrows } from './scripts/shrink/arrows';
import { enclosed } from './scripts/shrink/enclosed';
import { throwsAsCalls } from './scripts/shrink/throws';
import { unwrapped } from './scripts/shrink/unwrapped';

const KEYRING_PACKAGES = /node_modules[\\/]@metamask[\\/]keyring-(?:api|utils)[\\/]/u;

/** What every wallet that runs snaps understands, and what the bundle is: a scope of its own. */
const OPTIONS = { ecma: 2022, module: true, compress: { passes: 3, unsafe_arrows: true } } as const;

type Input = Readonly<Record<string, string>>;

const eachOf = (input: Input, change: (code: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(input).map(([file, code]) => [file, change(code)]));

/**
 * Two minifiers in turns: each finds what the other leaves. No function expression of the bundle is a
 * constructor, so those without `this` may become arrow functions.
 */
const MINIFIER = new TerserPlugin({
  extractComments: false,
  parallel: false,
  minify: [
    (input) =>
      TerserPlugin.terserMinify(
        eachOf(input, (code) => throwsAsCalls(functionsAsArrows(unwrapped(code)))),
        undefined,
        OPTIONS,
      ),
    TerserPlugin.swcMinify,
    TerserPlugin.terserMinify,
    (input) => TerserPlugin.terserMinify(eachOf(input, enclosed), undefined, { module: true, compress: false }),
  ],
  terserOptions: [{}, { ...OPTIONS, mangle: { toplevel: true } }, OPTIONS, {}],
});

const FOLDER = process.env.KEYSTEAD_OUT ?? 'dist';

/**
 * What `mm-snap build` is told. `scripts/build.ts` stages the output folder and
 * sets the two variables; the defaults are those of a production build.
 */
const config: SnapConfig = {
  input: 'src/index.ts',
  output: { path: FOLDER, filename: 'bundle.js', minimize: true },
  manifest: { path: `${FOLDER}/snap.manifest.json`, update: true },
  environment: { KEYSTEAD_COMPANION_ORIGINS: process.env.KEYSTEAD_COMPANION_ORIGINS ?? '[]' },
  sourceMap: false,
  // The keyring packages, of which only types are used, do not say that their modules are free of side effects,
  // though they are. Unsaid, the whole of eth-sig-util would come along.
  customizeWebpackConfig: (webpack) => ({
    ...merge(webpack, {
      module: {
        rules: [
          { test: KEYRING_PACKAGES, sideEffects: false },
          {
            test: /\.tsx?$/u,
            include: resolve('src'),
            enforce: 'pre',
            loader: resolve('scripts/texts/loader.ts'),
            options: { folder: FOLDER },
          },
        ],
      },
      resolve: { alias: { '@metamask/snaps-sdk/jsx-runtime': resolve('src/platform/jsx-runtime.ts') } },
    }),
    optimization: { minimize: true, nodeEnv: false, minimizer: [MINIFIER] },
  }),
  server: { enabled: false },
};

export default config;
