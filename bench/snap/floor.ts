import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type SnapManifest } from '@metamask/snaps-utils';

import { checksumOf } from './manifest';

/** Writes an empty snap into a folder. @param like - The folder of a built snap, whose manifest it copies. */
export async function writeFloor(folder: string, like: string, source: string): Promise<void> {
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
