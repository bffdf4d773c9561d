import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type SnapManifest } from '@metamask/snaps-utils';

import { checksumOf } from './manifest';

/** Answers every request with an empty list: what a request costs when the snap does nothing. */
const EMPTY = 'module.exports.onKeyringRequest=module.exports.onRpcRequest=async()=>[]';

/** Writes the empty snap into a folder. @param like - The folder of a built snap, whose manifest it takes over. */
export async function writeFloor(folder: string, like: string, source = EMPTY): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(like, 'snap.manifest.json'), 'utf8')) as SnapManifest & {
    source: { location: { npm: { iconPath?: string } }; files?: string[] };
    initialPermissions: Record<string, unknown>;
  };
  delete manifest.source.location.npm.iconPath;
  delete manifest.source.files;
  manifest.initialPermissions['endowment:rpc'] = { dapps: true };
  writeFileSync(join(folder, 'bundle.js'), source);
  manifest.source.shasum = await checksumOf(folder, manifest);
  writeFileSync(join(folder, 'snap.manifest.json'), JSON.stringify(manifest));
}
