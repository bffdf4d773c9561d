/** ESM-only packages that Jest must transform. Everything else in node_modules is used as it is. */
const ESM_ONLY = [
  'preact',
  '@noble/curves',
  '@noble/hashes',
  '@noble/secp256k1',
  'micro-eth-signer',
  'micro-packed',
  '@scure/base',
  '@wagmi/core',
  'wagmi-core-3',
  'mipd',
  'zustand',
  '@scure/bip39',
];

const common = {
  testRunner: '<rootDir>/scripts/test-runner.mjs',
  modulePathIgnorePatterns: ['dist', 'dist-dev', 'dist-insights', 'packages', 'release'].map(
    (name) => `<rootDir>/${name}/`,
  ),
  transform: {
    '^.+\\.[cm]?[jt]sx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'es2022',
          transform: { react: { runtime: 'automatic', importSource: '@metamask/snaps-sdk' } },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${ESM_ONLY.join('|')})/)`],
  restoreMocks: true,
};

const testsIn = (folder) => `<rootDir>/test/${folder}/**/*.test.ts?(x)`;

const project = (displayName, extra = {}) => ({
  ...common,
  displayName,
  testMatch: [testsIn(displayName)],
  testEnvironment: '<rootDir>/test/environments/node.mjs',
  ...extra,
});

/** The storage service lives on ESM-only packages: all of them are resolved as ESM and transformed. */
const onTheStorageService = {
  testEnvironmentOptions: { customExportConditions: ['node', 'import', 'default'] },
  transformIgnorePatterns: [],
  // Jest loads this one itself, untransformed.
  moduleNameMapper: { '^dedent$': '<rootDir>/node_modules/dedent/dist/dedent.js' },
};

/** The built snap in the Snaps runtime: `@metamask/snaps-jest` serves `dist/` and installs it. */
const onTheBuiltSnap = {
  testEnvironment: '<rootDir>/test/environments/snaps.mjs',
  setupFilesAfterEnv: ['<rootDir>/node_modules/@metamask/snaps-jest/dist/setup.cjs'],
  testEnvironmentOptions: { server: { enabled: true, root: 'dist' } },
};

export default {
  // Some tests wait for processes and for time limits: two cores serve three.
  maxWorkers: 3,
  // Ends what hangs. No test says by it how fast anything is: the machine may be a slow one, and busy.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/scripts/longest-first.mjs',
  reporters: ['default', 'summary', '<rootDir>/scripts/count-reporter.mjs'],
  projects: [
    project('unit'),
    project('hostile'),
    project('faults'),
    project('vectors'),
    project('property'),
    project('snap', onTheBuiltSnap),
    project('contract', onTheBuiltSnap),
    project('chain', onTheBuiltSnap),
    project('storage', { ...onTheStorageService, testMatch: [testsIn('service/storage')] }),
    project('fuzz', onTheStorageService),
    project('devnet'),
    project('service', { testMatch: [testsIn('service'), '!**/test/service/storage/**'] }),
    project('package'),
    project('browser'),
    project('metamask', { testEnvironment: '<rootDir>/test/environments/metamask.mjs' }),
    project('soak', onTheStorageService),
  ],
};
