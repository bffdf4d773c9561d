import { existsSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

import { writeFloor } from './floor';

const root = resolve(import.meta.dirname, '../..');
const peers = join(root, 'bench/node_modules/@metamask');

/** What a request costs at least if the snap must ask the wallet for something, as for a key it does not hold. */
const ONE_CALL =
  'const f=async()=>{await snap.request({method:"snap_getState",params:{key:"a",encrypted:true}});return []};module.exports.onKeyringRequest=module.exports.onRpcRequest=f';

/** The production account snaps that npm carries, and what they are asked first. */
export const PEERS = ['message-signing', 'solana', 'tron', 'institutional', 'bitcoin'] as const;

export const OURS = 'keystead';
export const FLOOR = 'empty snap';
export const FLOOR_ONE_CALL = 'empty snap, one wallet call';

/** A name that can stand in an address. */
export const pathOf = (name: string): string => name.replace(/[^A-Za-z0-9.-]+/gu, '-');

/** @returns The folders of all snaps, by name. @param others - Snaps that were given by hand. @param alone - Without the production snaps. */
export async function snapFolders(
  others: Readonly<Record<string, string>>,
  alone = false,
): Promise<Record<string, string>> {
  const ours = join(root, 'dist');
  if (!existsSync(join(ours, 'bundle.js'))) throw new Error('dist/: must hold the built snap; run npm run build');
  const [floor, oneCall] = [join(tmpdir(), 'keystead-bench-floor'), join(tmpdir(), 'keystead-bench-one-call')];
  await writeFloor(floor, ours);
  await writeFloor(oneCall, ours, ONE_CALL);
  return {
    [FLOOR]: floor,
    [FLOOR_ONE_CALL]: oneCall,
    [OURS]: ours,
    ...Object.fromEntries(
      (alone ? [] : PEERS).map((name) => [
        name,
        join(peers, `${name}-wallet-snap`.replace('message-signing-wallet', 'message-signing')),
      ]),
    ),
    ...others,
  };
}

type Manifest = {
  readonly source: { readonly location: { readonly npm: { readonly filePath: string } } };
  readonly initialPermissions: { readonly 'endowment:keyring'?: { readonly allowedOrigins?: readonly string[] } };
};

/** The manifest of a built snap. */
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'snap.manifest.json'), 'utf8')) as Manifest;

/** The origins that may manage the accounts of a snap: the wallet, and the pages that its manifest names. */
export const managersOf = (folder: string): readonly string[] => [
  'metamask',
  ...(manifestOf(folder).initialPermissions['endowment:keyring']?.allowedOrigins ?? []),
];

/** Bytes of a snap's code, as it is and compressed. */
export function bundleSize(folder: string): { raw: number; gzip: number } {
  const file = join(folder, manifestOf(folder).source.location.npm.filePath);
  return { raw: statSync(file).size, gzip: gzipSync(readFileSync(file), { level: 9 }).length };
}
