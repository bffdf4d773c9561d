import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { fingerprint, type Inputs } from './fingerprint';
import { writeContractMetadata } from './contract-metadata';

type Manifest = {
  version: string;
  description: string;
  source: { shasum?: string; files?: string[]; location: { npm: Record<string, string> } };
  initialPermissions: { 'endowment:keyring'?: { allowedOrigins: string[] } };
};

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** A well-formed placeholder: `mm-snap` refuses to start without a checksum, and replaces it. */
const UNKNOWN_SHASUM = `${'A'.repeat(43)}=`;

/** The port of the companion page in `snap.manifest.dev.json`. */
export const COMPANION_PORT = 8000;

const MANIFEST = 'snap.manifest.json';

/** A file in the output with the fingerprint of its inputs. */
const STAMP = '.inputs';

/** The inputs of the bundle, without what the snap never imports: a change to any of them makes a build stale. */
const INPUTS: Inputs = {
  from: [
    'src',
    'images',
    'package-lock.json',
    'package.json',
    'snap.config.ts',
    'snap.manifest.json',
    'snap.manifest.dev.json',
    'snap.manifest.insights.json',
    'scripts/build.ts',
    'scripts/fingerprint.ts',
    'scripts/contract-metadata',
  ],
  without: ['src/devnet', 'src/service', 'src/provider', 'src/testing', 'src/companion', 'src/simulated-wallet'],
};

/**
 * - `keyring`: the snap with accounts, for production.
 * - `dev`: the same with the development manifest, which allows the companion page.
 * - `insights`: the snap without accounts, which asks for open permissions only.
 */
export type Edition = 'keyring' | 'dev' | 'insights';

const EDITIONS = {
  keyring: { input: 'src/snap/index.ts', manifest: 'snap.manifest.json', folder: 'dist' },
  dev: { manifest: 'snap.manifest.dev.json', folder: 'dist-dev' },
  insights: {
    input: 'src/snap/insights/index.ts',
    manifest: 'snap.manifest.insights.json',
    folder: 'dist-insights',
  },
} as const satisfies Record<Edition, object>;

export type BuildOptions = {
  /** Default: `keyring`. */
  readonly edition?: Edition;
  /** The companion page's port in a development build, if not the default. */
  readonly companionPort?: number;
  /** Do nothing if the output was built from the same inputs. */
  readonly ifStale?: boolean;
  /** Builds it in a folder of its own, with a source map. */
  readonly withSourceMap?: boolean;
  /** Aborts the build. */
  readonly signal?: AbortSignal;
};

const outputFolder = (edition: Edition, companionPort: number): string =>
  edition === 'dev' && companionPort !== COMPANION_PORT
    ? join(root, `node_modules/.cache/keystead/dist-dev-${companionPort}`)
    : join(root, EDITIONS[edition].folder);

const isBuiltFrom = (inputs: string, folder: string): boolean => {
  const stamp = join(folder, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs;
};

/** The merged manifest, with the companion page's port. */
async function readManifest(edition: Edition, companionPort: number): Promise<Manifest> {
  const { loadManifest } = await import('@metamask/snaps-utils/node');
  const { mergedManifest } = await loadManifest(join(root, EDITIONS[edition].manifest));
  const text = JSON.stringify(mergedManifest);
  return JSON.parse(
    edition === 'dev' ? text.replaceAll(`:${COMPANION_PORT}"`, `:${companionPort}"`) : text,
  ) as Manifest;
}

/** The origins of the page in the bundle of a production build: none. */
const NO_ORIGINS = 'JSON.parse("[]")';

/**
 * Makes a development build of a production build of the same sources, from which it differs only by the origins of the
 * companion page.
 */
async function allowCompanion(built: string, folder: string, companionPort: number): Promise<void> {
  const { checkManifest } = await import('@metamask/snaps-utils/node');
  const { initialPermissions } = await readManifest('dev', companionPort);
  const origins = JSON.stringify(initialPermissions['endowment:keyring']?.allowedOrigins ?? []);
  const [before, after, ...others] = readFileSync(join(built, 'bundle.js'), 'utf8').split(NO_ORIGINS);
  if (after === undefined || others.length > 0)
    throw new Error(`${relative(root, built)}/bundle.js: must contain ${NO_ORIGINS} once, where the origins belong`);
  rmSync(folder, { recursive: true, force: true });
  cpSync(built, folder, { recursive: true, filter: (path) => basename(path) !== STAMP });
  writeFileSync(join(folder, 'bundle.js'), `${before}JSON.parse('${origins}')${after}`);
  const path = join(folder, MANIFEST);
  const manifest = { ...(JSON.parse(readFileSync(path, 'utf8')) as Manifest), initialPermissions };
  writeFileSync(path, JSON.stringify(manifest));
  await checkManifest(path, { updateAndWriteManifest: true });
}

type Failed = { readonly stdout?: string; readonly stderr?: string };

/**
 * Builds a complete, installable snap.
 *
 * @returns The folder of the built snap and its checksum (SHA-256, base64).
 * @throws If `mm-snap` reports an error; its output says which.
 */
export async function buildSnap({
  edition = 'keyring',
  companionPort = COMPANION_PORT,
  ifStale = false,
  withSourceMap = false,
  signal,
}: BuildOptions = {}): Promise<{ folder: string; shasum: string }> {
  const folder = withSourceMap
    ? join(root, `node_modules/.cache/keystead/mapped-${edition}`)
    : outputFolder(edition, companionPort);
  const stamp = join(folder, STAMP);
  const inputs = fingerprint(root, INPUTS);
  const builtManifest = join(folder, MANIFEST);
  const shasumOf = () => (JSON.parse(readFileSync(builtManifest, 'utf8')) as Manifest).source.shasum as string;
  if (ifStale && isBuiltFrom(inputs, folder)) return { folder, shasum: shasumOf() };
  if (edition === 'dev') {
    const { folder: built } = await buildSnap({ ifStale: true, ...(signal && { signal }) });
    await allowCompanion(built, folder, companionPort);
    writeFileSync(stamp, inputs);
    return { folder, shasum: shasumOf() };
  }

  // Imported on demand, like in `readManifest`: loading takes seconds, and usually nothing needs to be built.
  const { DEFAULT_NPM_REGISTRY } = await import('@metamask/snaps-controllers');
  const manifest = await readManifest(edition, companionPort);
  manifest.source.shasum = UNKNOWN_SHASUM;
  manifest.source.location.npm.registry = DEFAULT_NPM_REGISTRY.origin;
  const { license, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    license: string;
    repository?: { readonly type: string; readonly url: string };
  };
  const { version, description } = manifest;
  const name = manifest.source.location.npm.packageName;

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'images/icon.svg'), join(folder, 'images/icon.svg'));
  manifest.source.files = writeContractMetadata(folder);
  // MetaMask refuses a snap whose manifest and package name different repositories.
  writeFileSync(builtManifest, `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`);
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, description, license, repository, main: 'bundle.js' }, null, 2)}\n`,
  );

  try {
    await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', join(root, 'node_modules/@metamask/snaps-cli/dist/main.cjs'), 'build'],
      {
        cwd: root,
        env: {
          ...process.env,
          KEYSTEAD_INPUT: EDITIONS[edition].input,
          KEYSTEAD_OUT: relative(root, folder),
          ...(withSourceMap && { KEYSTEAD_SOURCE_MAP: 'yes' }),
        },
        ...(signal && { signal }),
      },
    );
  } catch (error) {
    const { stdout = '', stderr = '' } = error as Failed;
    throw new Error(`The snap was not built.\n${stdout}\n${stderr}`, { cause: error });
  }
  writeFileSync(stamp, inputs);
  return { folder, shasum: shasumOf() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const editions: readonly Edition[] = process.argv.includes('--dev') ? ['dev'] : ['keyring', 'insights'];
  const ifStale = process.argv.includes('--if-stale');
  const built = await Promise.all(editions.map((edition) => buildSnap({ edition, ifStale })));
  for (const { folder, shasum } of built) {
    const bytes = statSync(join(folder, 'bundle.js')).size;
    console.log(`${relative(root, folder)}/  bundle ${bytes} bytes  checksum ${shasum}`);
  }
}
