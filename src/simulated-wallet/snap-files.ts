import { type Json } from '@metamask/snaps-sdk';

import { RpcError } from './rpc-error';

/** The parts of a snap's manifest that a wallet needs. */
export type Manifest = {
  readonly version: string;
  readonly proposedName: string;
  readonly description: string;
  readonly initialPermissions: Readonly<Record<string, Json>>;
  readonly source: {
    readonly shasum: string;
    readonly location: { readonly npm: { readonly filePath: string; readonly iconPath?: string } };
    readonly files?: readonly string[];
  };
};

export type SnapFiles = {
  readonly manifest: Manifest;
  readonly sourceCode: string;
  /** The files that `snap_getFile` can read, by path. */
  readonly auxiliary: ReadonlyMap<string, Uint8Array>;
};

const LOCAL = /^local:(https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?)\/?$/u;

/**
 * @returns The URL of a local snap.
 * @throws {RpcError} If the snap is not local: the simulated wallet has no registry.
 */
export function urlOfSnap(snapId: string): string {
  const [, url] = LOCAL.exec(snapId) ?? [];
  if (url === undefined)
    throw new RpcError(-32602, 'snapId: must be a snap served from this machine, such as local:http://localhost:8080');
  return url;
}

async function fetchBytes(base: string, path: string): Promise<Uint8Array<ArrayBuffer>> {
  let response;
  try {
    response = await fetch(`${base}/${path}`, { cache: 'no-cache', credentials: 'omit' });
  } catch {
    throw new RpcError(-32603, `The snap is not served at ${base}. Start it with: npm start`);
  }
  if (!response.ok)
    throw new RpcError(-32603, `The snap's file ${path} is missing at ${base} (HTTP ${response.status}).`);
  return new Uint8Array(await response.arrayBuffer());
}

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** JSON with sorted keys, as `fast-json-stable-stringify` writes it. */
function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stableJson(member)}`).join(',')}}`;
}

/** The checksum of a snap, as MetaMask computes it: SHA-256 over the SHA-256 hashes of its files, sorted by path. */
async function checksum(manifest: Manifest, files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): Promise<string> {
  const { shasum: _, ...source } = manifest.source;
  const all = new Map(files).set('snap.manifest.json', new TextEncoder().encode(stableJson({ ...manifest, source })));
  const sums = await Promise.all([...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => sha256(bytes)));
  return btoa(String.fromCharCode(...(await sha256(Uint8Array.from(sums.flatMap((sum) => [...sum]))))));
}

/**
 * Fetches a local snap and verifies its files against the checksum of its manifest.
 *
 * @throws {RpcError} If a file is missing, or the checksum does not match.
 */
export async function fetchSnap(snapId: string): Promise<SnapFiles> {
  const base = urlOfSnap(snapId);
  const decoder = new TextDecoder();
  const manifest = JSON.parse(decoder.decode(await fetchBytes(base, 'snap.manifest.json'))) as Manifest;
  const { filePath, iconPath } = manifest.source.location.npm;
  const auxiliaryPaths = manifest.source.files ?? [];
  const paths = [filePath, ...(iconPath === undefined ? [] : [iconPath]), ...auxiliaryPaths];
  const files = new Map(await Promise.all(paths.map(async (path) => [path, await fetchBytes(base, path)] as const)));
  if ((await checksum(manifest, files)) !== manifest.source.shasum)
    throw new RpcError(-32603, "The snap's files do not match the checksum of its manifest. Build the snap again.");
  return {
    manifest,
    sourceCode: decoder.decode(files.get(filePath)),
    auxiliary: new Map(auxiliaryPaths.map((path) => [path, files.get(path) ?? new Uint8Array()])),
  };
}
