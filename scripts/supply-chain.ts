import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build, type BuildOptions } from 'esbuild';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const PAGE = join(root, 'docs/reference/supply-chain.md');

/** Why each package that runs is there. A package without a reason stops the script. */
const REASONS: Readonly<Record<string, string>> = {
  '@adraffy/ens-normalize': 'the spelling of ENS names; loaded with the first name',
  '@ipld/dag-cbor': 'reads and writes dag-cbor blocks and CAR headers',
  '@ipld/dag-pb': 'reads and writes dag-pb blocks',
  '@metamask/keyring-api': 'types of the keyring API; nothing of it is in the bundle',
  '@metamask/snaps-sdk': 'the JSX of screens, and the errors that a wallet takes as meant',
  '@metamask/superstruct': 'checks what comes from outside, and the configuration of the services',
  '@metamask/utils': 'what snaps-sdk tells errors by',
  '@multiformats/murmur3': 'hashes names in sharded directories',
  '@noble/hashes': 'Keccak-256, SHA-256 and HMAC; hashes of content identifiers other than SHA-256',
  '@noble/secp256k1': 'ECDSA over secp256k1 with RFC 6979',
  '@redis/client': 'keys and credits of several processes',
  '@scure/base': 'the words and the checksum of recovery phrases',
  abitype: 'reads ABIs for viem',
  aws4fetch: 'signs requests to S3-compatible stores',
  blo: 'pictures of addresses',
  cborg: 'tokens of CBOR and JSON for blocks of both',
  'cli-progress': 'progress bars',
  cockatiel: 'circuit breakers of nodes',
  commander: 'the command line',
  eventemitter3: 'listeners of the provider for dapps',
  'fast-xml-parser': 'reads the answers of S3-compatible stores',
  'hash-wasm': 'Keccak and SHA-256 in WebAssembly for archives',
  'idb-keyval': 'keeps what was searched for an account in the browser',
  'ipfs-unixfs-importer': 'sharded directories',
  libsql: 'SQLite: keys and credits of one process',
  multiformats: 'CIDs, their bases and hashes',
  pino: 'structured logs',
  preact: 'renders the page',
  'prom-client': 'metrics',
  uqr: 'QR codes',
  'tar-stream': 'writes the archives of `get`',
  viem: 'RLP, ABI, CREATE2 and addresses, user operations, ERC-6492',
  '@noble/curves': 'ECDSA: public keys from the signatures of passkeys (P-256), and the simulated wallet (secp256k1)',
  '@scure/bip39': 'recovery phrases of the simulated wallet',
  ox: 'what viem encodes and decodes with',
  isows: 'WebSockets of viem; empty in a browser',
  ws: 'WebSockets of the chain service',
};

type Package = { readonly name: string; readonly version: string; readonly license: string };

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;

/** What stands for a licence where a package states none. */
export const NO_LICENCE = 'none stated';

/** The licence stated in the package's description, or else the first line of its licence file. */
export function packageAt(folder: string): Package {
  const { name, version, license } = readJson(join(folder, 'package.json')) as Partial<Package>;
  const file = join(root, folder, 'LICENSE');
  const told = existsSync(file) ? `its own: "${readFileSync(file, 'utf8').split('\n')[0]?.trim()}"` : NO_LICENCE;
  return { name: String(name), version: String(version), license: license ?? told };
}

/** The snap as esbuild bundles it, to see which packages are in it. */
export const SNAP: BuildOptions = {
  entryPoints: ['src/snap/index.ts'],
  format: 'cjs',
  platform: 'browser',
  external: ['http', 'https', 'zlib'],
  jsx: 'automatic',
  jsxImportSource: '@metamask/snaps-sdk',
  define: { 'process.env.KEYSTEAD_COMPANION_ORIGINS': '"[]"' },
};

const COMPANION: BuildOptions = {
  entryPoints: ['src/companion/main.tsx', 'src/simulated-wallet/index.ts'],
  format: 'esm',
  splitting: true,
  outdir: 'dist-page',
  loader: { '.css': 'text' },
  tsconfigRaw: { compilerOptions: { jsx: 'react-jsx', jsxImportSource: 'preact' } },
};

/** Bytes of a minified bundle by the folder of the package they come from; '' is our own code. */
export async function bytesByFolder(options: BuildOptions): Promise<Map<string, number>> {
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'error',
    ...options,
    metafile: true,
  });
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      // Node builtins that a package imports are empty in a browser.
      if (file.startsWith('(disabled):')) continue;
      const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//u.exec(file)?.[1] ?? '';
      if (bytesInOutput > 0) bytes.set(folder, (bytes.get(folder) ?? 0) + bytesInOutput);
    }
  return bytes;
}

function reasonFor(name: string): string {
  const reason = REASONS[name];
  if (reason === undefined) throw new Error(`scripts/supply-chain.ts: say why ${name} is there`);
  return reason;
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** The packages of a bundle, the largest first. */
async function bundled(options: BuildOptions) {
  const bytes = await bytesByFolder(options);
  const own = bytes.get('') ?? 0;
  bytes.delete('');
  const packages = [...bytes]
    .map(([folder, size]) => ({ ...packageAt(folder), folder, path: folder.slice('node_modules/'.length), size }))
    .sort((a, b) => b.size - a.size);
  return { own, packages };
}

/** @returns The page for what is currently installed. */
async function supplyChainPage(): Promise<string> {
  const { own, packages: inSnap } = await bundled(SNAP);
  const insights = await bytesByFolder({ ...SNAP, entryPoints: ['src/snap/insights/index.ts'] });
  const ownInsights = insights.get('') ?? 0;
  const inPage = await bundled(COMPANION);
  const names = new Set(inSnap.map(({ name }) => name));
  const missing = [...insights.keys()].filter(
    (folder) => folder !== '' && !inSnap.some((each) => each.folder === folder),
  );
  if (missing.length > 0) throw new Error(`scripts/supply-chain.ts: only Keystead Insights has ${missing.join(', ')}`);
  const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
  const service = Object.keys(dependencies)
    .filter((name) => !names.has(name))
    .map((name) => packageAt(join('node_modules', name)));
  return [
    '# What runs, and where it comes from',
    '',
    'Made by `npx tsx scripts/supply-chain.ts`. Versions are exact (`package.json`), contents are held by their hashes',
    '(`package-lock.json`), and install scripts are switched off (`.npmrc`).',
    '',
    '## In the snap',
    '',
    `Bytes are those of a minified bundle, so that small packages are seen; our own code has ${own} of them, and ${ownInsights} in`,
    '[Keystead Insights](../insights.md), which has no other packages. The snaps that `npm run build` makes are the same from every',
    'clone, byte by byte: CI builds them twice and compares.',
    '',
    row('package', 'version', 'licence', 'bytes', 'in Insights', 'why'),
    row('---', '---', '---', '---:', '---:', '---'),
    ...inSnap.map(({ name, path, folder, version, license, size }) =>
      row(`\`${path}\``, version, license, size, insights.get(folder) ?? 0, reasonFor(name)),
    ),
    '',
    '## In the Keystead page and the simulated wallet',
    '',
    `Bytes as above, of all views together; our own code has ${inPage.own} of them. The page is part of a clone, not of the`,
    'package.',
    '',
    row('package', 'version', 'licence', 'bytes', 'why'),
    row('---', '---', '---', '---:', '---'),
    ...inPage.packages.map(({ name, path, version, license, size }) =>
      row(`\`${path}\``, version, license, size, reasonFor(name)),
    ),
    '',
    '## In the services, the command line and the library only',
    '',
    row('package', 'version', 'licence', 'why'),
    row('---', '---', '---', '---'),
    ...service.map(({ name, version, license }) => row(`\`${name}\``, version, license, reasonFor(name))),
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = await supplyChainPage();
  if (process.argv[2] !== '--check') writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, 'utf8') !== page)
    throw new Error('docs/reference/supply-chain.md is not of this build: `npm run figures` writes it');
}
