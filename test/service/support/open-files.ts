import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

const DESCRIPTORS = '/proc/self/fd';

/** Whether this system tells which files a process has open. */
export const tellsOpenFiles = existsSync(DESCRIPTORS);

/** Behind the names of tests that are skipped where it does not. */
export const IF_TOLD = tellsOpenFiles ? '' : ` (skipped: this system has no ${DESCRIPTORS})`;

/** Files of a folder that this process has open, removed ones too. The lock's is closed when its memory is collected. */
export const openFilesOf = (folder: string): string[] =>
  readdirSync(DESCRIPTORS).flatMap((descriptor) => {
    try {
      const path = readlinkSync(join(DESCRIPTORS, descriptor));
      return path.startsWith(folder) && !path.endsWith('.sqlite') ? [basename(path)] : [];
    } catch {
      // The one that lists the others.
      return [];
    }
  });
