import js from '@eslint/js';
import importPlugin from 'eslint-plugin-import';
import tseslint from 'typescript-eslint';

const NODE_GLOBALS = ['process', 'Buffer', '__dirname', '__filename', 'require', 'global', 'setImmediate'];
const DOM_GLOBALS = ['window', 'document', 'navigator', 'localStorage', 'location'];
const OUTSIDE_GLOBALS = ['fetch', 'WebSocket', 'XMLHttpRequest', 'setTimeout', 'setInterval', 'console'];
const PLATFORM_GLOBALS = ['snap', 'ethereum'];

const banned = (names, why) => names.map((name) => ({ name, message: why }));

/** `from` may import, inside `src`, only what `may` lists (its own folder always counts). */
const zone = (target, may, message) => ({
  target: `./src/${target}`,
  from: './src/snap',
  except: [`./${target}`, ...may.map((path) => `./${path}`)],
  message,
});

const PURE = 'pure code: no platform, no Node, no DOM, no network, no clock';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'dist-dev/',
      'dist-lib/',
      'dist-service/',
      'dist-page/',
      'coverage/',
      'node_modules/',
      'test/vectors/data/',
      'test/storage/peers/fixtures/',
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
    plugins: { import: importPlugin },
    settings: {
      'import/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import/resolver': { node: { extensions: ['.ts', '.tsx', '.js', '.jsx'] } },
    },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-misused-promises': 'error',
      'import/no-cycle': 'error',
      eqeqeq: 'error',
      'import/no-restricted-paths': [
        'error',
        {
          zones: [
            zone('eth', ['errors.ts'], 'eth/ is the lowest layer: it imports nothing above it'),
            zone('erc4337', ['eth', 'errors.ts'], 'erc4337/ stands on eth/ only'),
            zone('wire', ['eth', 'erc4337', 'errors.ts'], 'wire/ describes shapes: it knows eth/ and erc4337/ only'),
            zone(
              'explain',
              ['eth', 'erc4337', 'wire', 'errors.ts'],
              'explain/ is pure and knows no screen and no method',
            ),
            zone(
              'methods',
              ['eth', 'erc4337', 'wire', 'explain', 'errors.ts'],
              'methods/ reach the outside only through what context.ts hands them',
            ),
            zone('ui', ['explain', 'eth', 'wire', 'errors.ts'], 'ui/ renders what explain/ says and decides nothing'),
            zone('platform', ['errors.ts', 'wire', 'eth'], 'platform/ knows the wallet, not our methods'),
            zone(
              'dapp/provider',
              ['clients', 'eth', 'erc4337', 'wire', 'errors.ts'],
              'the provider is loaded by every dapp: it stands on what is small',
            ),
            zone(
              'knowledge',
              ['explain', 'clients', 'platform', 'eth', 'wire', 'errors.ts'],
              'knowledge/ looks things up for explain/: it knows no account and no screen',
            ),
            zone('clients', ['eth', 'erc4337', 'wire', 'errors.ts'], 'clients/ are isomorphic and stand alone'),
            {
              target: [
                './src/snap/index.ts',
                './src/snap/container.ts',
                './src/snap/handlers/middleware/unlocked.ts',
                './src/snap/handlers/middleware/permissions.ts',
                './src/backup',
                './src/keyring',
                './src/knowledge',
                './src/snap/handlers/insights.ts',
                './src/chains',
                './src/door',
                './src/snap/methods',
                './src/ui',
                './src/platform',
              ],
              from: ['./src/service', './src/devnet', './src/dapp'],
              message: 'the snap contains nothing of the service, the devnet or the page',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/eth/**', 'src/erc4337/**', 'src/explain/**', 'src/wire/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...banned([...NODE_GLOBALS, ...DOM_GLOBALS, ...OUTSIDE_GLOBALS, ...PLATFORM_GLOBALS, 'crypto', 'Date'], PURE),
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
    files: [
      'src/backup/**',
      'src/keyring/**',
      'src/knowledge/**',
      'src/chains/**',
      'src/snap/storage/consented-change.ts',
      'src/door/**',
      'src/methods/**',
      'src/ui/**',
      'src/snap/container.ts',
      'src/snap/handlers/middleware/unlocked.ts',
      'src/snap/handlers/middleware/permissions.ts',
      'src/snap/index.ts',
      'src/clients/**',
    ],
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
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
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
);
