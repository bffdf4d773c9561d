import { readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';

import { createSnapManifest, getSnapChecksum, VirtualFile } from '@metamask/snaps-utils';

export type Manifest = {
  readonly source: {
    readonly shasum?: string;
    readonly files?: readonly string[];
    readonly locales?: readonly string[];
    readonly location: {
      readonly npm: { readonly filePath: string; readonly packageName?: string; readonly iconPath?: string };
    };
  };
  readonly initialPermissions: {
    readonly 'endowment:keyring'?: { readonly allowedOrigins?: readonly string[] };
    readonly 'endowment:rpc'?: { readonly allowedOrigins?: readonly string[] };
  };
  readonly initialConnections?: Readonly<Record<string, unknown>>;
  readonly platformVersion?: string;
};

/** The manifest of a built snap. */
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'snap.manifest.json'), 'utf8')) as Manifest;

/** Bytes of a snap's code, raw and with maximum gzip compression. */
export type BundleSize = {
  readonly raw: number;
  readonly gzip: number;
  /** Bytes of additional files that the snap reads at runtime. */
  readonly files: number;
};

export function bundleSize(folder: string): BundleSize {
  const { location, files = [] } = manifestOf(folder).source;
  const bundle = readFileSync(join(folder, location.npm.filePath));
  return {
    raw: bundle.length,
    gzip: gzipSync(bundle, { level: 9 }).length,
    files: files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0),
  };
}

/** How a wallet talks to a keyring, according to its manifest. */
export type Dialect = {
  /** The origins that may manage its accounts, in the order to try them. */
  readonly managers: readonly string[];
  /** Whether a signing request includes its origin. */
  readonly hasOrigin: boolean;
};

/** The pages of MetaMask's sample keyrings, which create accounts for them whatever their manifest says. */
const SAMPLE_PAGES = ['https://metamask.github.io', 'http://localhost:8000'];

/** Like MetaMask: the request's origin is sent to keyrings of platform version 7 and newer, whose structs accept it. */
const FIRST_WITH_ORIGIN = 7;

/** @returns The wallet, the pages named in the manifest, and those of MetaMask's samples; and the form of a request. */
export function dialectOf(folder: string): Dialect {
  const { initialPermissions, initialConnections = {}, platformVersion = '0' } = manifestOf(folder);
  const named = [
    ...(initialPermissions['endowment:keyring']?.allowedOrigins ?? []),
    ...Object.keys(initialConnections),
    ...(initialPermissions['endowment:rpc']?.allowedOrigins ?? []),
  ].filter((origin) => !origin.includes('*'));
  return {
    managers: [...new Set(['metamask', ...named, ...SAMPLE_PAGES])],
    hasOrigin: Number(platformVersion.split('.')[0]) >= FIRST_WITH_ORIGIN,
  };
}

/**
 * @param manifest - The manifest of a snap as written.
 * @returns The correct checksum, computed from the snap's files as a wallet does.
 * @throws If the manifest is invalid, or a file is missing.
 */
export async function checksumOf(folder: string, manifest: unknown): Promise<string> {
  const result = createSnapManifest(manifest);
  const { files = [], locales = [], location } = result.source;
  const { filePath, iconPath } = location.npm;
  const file = (name: string) => {
    const path = posix.normalize(name);
    return new VirtualFile({ path, value: readFileSync(join(folder, path)) });
  };
  return await getSnapChecksum({
    manifest: new VirtualFile({ path: 'snap.manifest.json', value: JSON.stringify(manifest), result }),
    sourceCode: file(filePath),
    ...(iconPath !== undefined && { svgIcon: file(iconPath) }),
    auxiliaryFiles: files.map(file),
    localizationFiles: locales.map(file),
  } as unknown as Parameters<typeof getSnapChecksum>[0]);
}
