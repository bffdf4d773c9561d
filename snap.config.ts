import { resolve } from 'node:path';

import { merge, type SnapConfig } from '@metamask/snaps-cli';
import TerserPlugin from 'terser-webpack-plugin';

const KEYRING_PACKAGES = /node_modules[\\/]@metamask[\\/]keyring-(?:api|utils)[\\/]/u;

/** What every wallet that runs snaps understands, and what the bundle is: a scope of its own. */
const OPTIONS = { ecma: 2022, module: true, compress: { passes: 3, unsafe_arrows: true } } as const;

/**
 * What the bundle names often, and what is the same in every realm. A name of its own is shorter, and found at once: the
 * runtime searches its scopes each time for one that is not the bundle's.
 */
const NAMED = [
  'Array',
  'BigInt',
  'Error',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'RangeError',
  'RegExp',
  'Set',
  'String',
  'TextDecoder',
  'TextEncoder',
  'Uint8Array',
].join();

type Input = Readonly<Record<string, string>>;

const eachOf = (input: Input, change: (code: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(input).map(([file, code]) => [file, change(code)]));

/** Minifiers write `void 0` for `undefined`. What is `void 0` after them is one of those, and no text. */
const withoutVoid = (input: Input): Record<string, string> =>
  eachOf(input, (code) => {
    if (code.includes('void 0')) throw new Error('The bundle says "void 0" before it is minified.');
    return code;
  });

/** How webpack wraps the one module that everything is concatenated into: definitions of its own, and exports as getters. */
const WRAPPER =
  /^\(\(\) => \{\s*const __webpack_require__ =.*?"use strict";\s*__webpack_require__\.r\(__webpack_exports__\);\s*__webpack_require__\.d\(__webpack_exports__, \{(?<getters>.*?)\}\);(?<body>.*)\}\)\(\);\s*module\.exports = __webpack_exports__;\s*\}\)\(\);\s*$/su;

/** Everything is defined where the body ends: what is exported can be said there, without webpack's definitions. */
const unwrapped = (input: Input): Record<string, string> =>
  eachOf(input, (code) => {
    const { getters, body } = WRAPPER.exec(code)?.groups ?? {};
    if (getters === undefined || body === undefined) throw new Error('The bundle is not wrapped as webpack does it.');
    return `(() => {${body}module.exports = {${getters.replaceAll('() =>', '')}};})();`;
  });

/** The numbers of the curve, which a minifier writes out at each place. */
const LONG_NUMBER = /0x[0-9a-f]{60,}n/gu;

/** Those of the curve are near a power of two, which is shorter to write. */
function shortest(number: string): string {
  const less = `2n**256n-0x${((1n << 256n) - BigInt(number.slice(0, -1))).toString(16)}n`;
  return less.length < number.length ? less : number;
}

/** The bundle in a function with parameters for what it names often, `undefined` among them, and for long numbers. */
const enclosed = (input: Input): Record<string, string> =>
  eachOf(input, (code) => {
    const numbers = [...new Set(code.match(LONG_NUMBER))];
    const names = numbers.map((_number, index) => `number${index}`);
    const body = code
      .replaceAll('void 0', 'undefined')
      .replaceAll(LONG_NUMBER, (number) => `number${numbers.indexOf(number)}`);
    return `((${[NAMED, ...names].join()},undefined)=>{${body}})(${[NAMED, ...numbers.map(shortest)].join()})`;
  });

/**
 * Two minifiers in turns: each finds what the other leaves. No function expression of the bundle is a
 * constructor, so those without `this` may become arrow functions.
 */
const MINIFIER = new TerserPlugin({
  extractComments: false,
  parallel: false,
  minify: [
    (input) => TerserPlugin.terserMinify(unwrapped(withoutVoid(input)), undefined, OPTIONS),
    TerserPlugin.swcMinify,
    TerserPlugin.terserMinify,
    (input) => TerserPlugin.terserMinify(enclosed(input), undefined, { module: true, compress: false }),
  ],
  terserOptions: [{}, { ...OPTIONS, mangle: { toplevel: true } }, OPTIONS, {}],
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
