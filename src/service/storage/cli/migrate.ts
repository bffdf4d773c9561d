import { type Migrated, migrateStore } from '../migrate/migrate';
import { migrateBucket } from '../migrate/migrate-bucket';
import { type Progress } from '../store/block-store';
import { type BucketStorage } from '../store/open-bucket';
import { type StorageCommand } from './command';

async function inBucket({ bucket, store, pins }: BucketStorage, show: Progress): Promise<Migrated | undefined> {
  const migrated = await migrateBucket(bucket, store, show);
  return migrated && { ...migrated, pins: await pins.count() };
}

/**
 * Reads the files of version 0.2 into plain files or objects, once; the service must be stopped. Exit code 1 if blocks
 * could not be read. It may be interrupted, and goes on when it is run again.
 */
export const runMigrate: StorageCommand = async ({ dataDir, shared, json, output, progress }) => {
  const show = (done: number, total: number) => {
    progress('migrating', done, total);
  };
  const migrated = await (shared ? inBucket(shared, show) : migrateStore(dataDir, show));
  if (migrated === undefined) {
    output(json ? JSON.stringify({ blocks: 0, pins: 0, problems: [] }) : 'no files of version 0.2');
    return 0;
  }
  const { blocks, pins, problems, keptIn } = migrated;
  if (json) output(JSON.stringify(migrated));
  else {
    for (const problem of problems) output(problem);
    output(`${blocks} blocks, ${pins} pins${keptIn === undefined ? '' : `; the old files are kept in ${keptIn}`}`);
  }
  return problems.length === 0 ? 0 : 1;
};
