import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

const DESCRIPTORS = '/proc/self/fd';

/** Whether this system lists the open files of a process. */
export const tellsOpenFiles = existsSync(DESCRIPTORS);

/** Ends the names of tests that are skipped if it does not. */
export const IF_TOLD = tellsOpenFiles ? '' : ` (skipped: this system has no ${DESCRIPTORS})`;

/** The files of a folder that this process has open, even deleted ones. Excludes the lock, closed with its object. */
export const openFilesOf = (folder: string): string[] =>
  readdirSync(DESCRIPTORS).flatMap((descriptor) => {
    try {
      const path = readlinkSync(join(DESCRIPTORS, descriptor));
      return path.startsWith(folder) && !path.endsWith('.sqlite') ? [basename(path)] : [];
    } catch {
      // The descriptor that lists the others is already closed.
      return [];
    }
  });
