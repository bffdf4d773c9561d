import { readdirSync } from 'node:fs';

import { Archive } from '../../../src/service/chain/archive/archive';
import { archiveDir } from '../../../src/service/chain/archive/catalog';
import { loadKeccak } from '../../../src/service/chain/archive/hashing';
import { importArchive, type ImportReport } from '../../../src/service/chain/archive/import';
import { localPool } from '../../../src/service/chain/archive/pool';
import { findSources } from '../../../src/service/chain/archive/sniff';
import { makeFolder } from './folder';

export type TestArchive = {
  dataDir: string;
  dir: string;
  import: (...paths: string[]) => Promise<ImportReport>;
  open: (lastPowBlock?: number) => Promise<Archive>;
};

/** The files in an archive's folder, apart from the lock. */
export const filesIn = (dir: string): string[] => readdirSync(dir).filter((name) => name !== 'import.sqlite');

/** An archive in its own folder. */
export function testArchive(network = 'testnet', dataDir = makeFolder()): TestArchive {
  const dir = archiveDir(dataDir, network);
  return {
    dataDir,
    dir,
    import: (...paths) => importArchive({ dir, network, found: findSources(paths), pool: localPool }),
    open: async (lastPowBlock) => new Archive({ dir, keccak: await loadKeccak(), lastPowBlock }),
  };
}
