import js from '@eslint/js';
import checkFile from 'eslint-plugin-check-file';
import tseslint from 'typescript-eslint';

const NODE_GLOBALS = ['process', 'Buffer', '__dirname', '__filename', 'require', 'global', 'setImmediate'];
const DOM_GLOBALS = ['window', 'document', 'navigator', 'localStorage', 'location'];
const OUTSIDE_GLOBALS = ['fetch', 'WebSocket', 'XMLHttpRequest', 'setTimeout', 'setInterval', 'console'];
const PLATFORM_GLOBALS = ['snap', 'ethereum'];

const banned = (names, why) => names.map((name) => ({ name, message: why }));

const PURE = 'pure code: no platform, no Node, no DOM, no network, no clock';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'dist-dev/',
      'dist-insights/',
      'dist-lib/',
      'dist-service/',
      'dist-page/',
      'dist-docs/',
      'release/',
      'coverage/',
      'node_modules/',
      'test/vectors/data/',
      'test/service/storage/peers/fixtures/',
      'test/package/consumer/',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['*.js', '*.mjs', 'scripts/*.cjs', 'bin/*.js', 'src/devnet/bundler/*.mjs'],
        },
      },
    },
    plugins: { 'check-file': checkFile },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-misused-promises': 'error',
      'check-file/filename-naming-convention': [
        'error',
        { '{src,test,bench,scripts}/**/*.{ts,tsx,mjs}': 'KEBAB_CASE' },
        { ignoreMiddleExtensions: true },
      ],
      eqeqeq: 'error',
      // Prettier wraps code, but not comments. Code in them stays as it is.
      'max-len': ['error', { code: 10_000, comments: 120, ignoreUrls: true, ignorePattern: '^ *\\* const ' }],
    },
  },
  {
    files: ['src/core/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...banned([...NODE_GLOBALS, ...DOM_GLOBALS, ...OUTSIDE_GLOBALS, ...PLATFORM_GLOBALS, 'crypto'], PURE),
      ],
      // The clock is passed in. Dates of a given time are fine.
      'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: PURE }],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: PURE },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(node:|fs$|path$|crypto$|@metamask/snaps-sdk)',
              message: PURE,
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/snap/**', 'src/clients/**', 'src/simulation/**'],
    ignores: ['src/snap/platform/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...banned([...PLATFORM_GLOBALS], 'only platform/ names the wallet'),
        ...banned(['Buffer', ...DOM_GLOBALS, 'console'], 'not in the snap'),
      ],
      'no-restricted-imports': ['error', { patterns: [{ group: ['node:*'], message: 'the snap has no Node' }] }],
    },
  },
  {
    files: ['test/**', 'scripts/**'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs', '**/*.jsx'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: {
        console: 'readonly',
        process: 'readonly',
        module: 'readonly',
        URL: 'readonly',
        globalThis: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
  {
    files: ['examples/**'],
    languageOptions: {
      parserOptions: { ecmaFeatures: { jsx: true } },
      globals: { document: 'readonly', fetch: 'readonly', setTimeout: 'readonly' },
    },
  },
);
