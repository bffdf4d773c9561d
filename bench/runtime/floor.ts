import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { getSnapChecksum, type SnapManifest, VirtualFile } from '@metamask/snaps-utils';

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
  const packageJson = JSON.parse(readFileSync(join(like, 'package.json'), 'utf8')) as { main: string };
  const virtual = (path: string, value: string) => new VirtualFile({ path, value });
  const shasum = await getSnapChecksum({
    manifest: new VirtualFile({ path: 'snap.manifest.json', value: JSON.stringify(manifest), result: manifest }),
    sourceCode: virtual('bundle.js', source),
    packageJson: virtual('package.json', JSON.stringify(packageJson)),
    auxiliaryFiles: [],
    localizationFiles: [],
  } as unknown as Parameters<typeof getSnapChecksum>[0]);
  manifest.source.shasum = shasum;
  writeFileSync(join(folder, 'snap.manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson));
  writeFileSync(join(folder, 'bundle.js'), source);
}
