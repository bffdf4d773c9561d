import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type SnapManifest } from '@metamask/snaps-utils';

import { makeFolder } from '../service/folder';
import { sealed } from './snap-server';

/**
 * The same package as a later version whose events come every minute, so that a test need not wait for an hour.
 *
 * @param folder - Of the assembled package of a snap.
 * @returns The folder of the later version.
 */
export async function hurried(folder: string, version: string): Promise<string> {
  const later = makeFolder();
  cpSync(folder, later, { recursive: true });
  const read = (path: string): string => readFileSync(join(later, path), 'utf8');
  const write = (path: string, content: object): void => {
    writeFileSync(join(later, path), JSON.stringify(content));
  };
  const manifest = JSON.parse(read('snap.manifest.json')) as SnapManifest;
  const { location, files = [] } = manifest.source;
  const { jobs } = manifest.initialPermissions['endowment:cronjob'] as { readonly jobs: readonly object[] };
  const initialPermissions = {
    ...manifest.initialPermissions,
    'endowment:cronjob': { jobs: jobs.map((job) => ({ ...job, expression: '* * * * *' })) },
  };
  const paths = [location.npm.filePath, location.npm.iconPath, ...files].filter((path) => path !== undefined);
  const changed = { ...manifest, version, initialPermissions } as SnapManifest;
  const others = Object.fromEntries(paths.map((path) => [path, read(path)]));
  write('snap.manifest.json', await sealed({ manifest: changed, others }));
  write('package.json', { ...(JSON.parse(read('package.json')) as object), version });
  return later;
}
