import { archiveDir, holdsSegments } from '../chain/archive/catalog';
import type { ServiceConfig } from './config';

/**
 * @param dataDir - Where the archives are.
 * @returns Whether a process answers for nothing but files: no network has an archive, a node or a bundler.
 */
export const servesOnlyFiles = ({ networks, storage }: ServiceConfig, dataDir: string): boolean =>
  storage.enabled &&
  networks.every(
    ({ name, archive, upstream, bundler }) =>
      upstream === undefined && bundler === undefined && !(archive && holdsSegments(archiveDir(dataDir, name))),
  );
