import { archiveDir, holdsSegments } from '../chain/archive/catalog';
import type { ServiceConfig } from './config';

/**
 * @param dataDir - The folder with the archives.
 * @returns Whether the process serves file storage alone: no network has an archive, a node or a bundler.
 */
export const servesOnlyFiles = ({ networks, storage }: ServiceConfig, dataDir: string): boolean =>
  storage.enabled &&
  networks.every(
    ({ name, archive, upstream, bundler }) =>
      upstream === undefined && bundler === undefined && !(archive && holdsSegments(archiveDir(dataDir, name))),
  );
