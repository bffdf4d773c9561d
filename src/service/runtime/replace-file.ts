import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file so that after a crash either its old or its new content is there, complete. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.datasync();
  } catch (error) {
    // On a full disk, a partial file would take space that others need.
    await unlink(temporary);
    throw error;
  } finally {
    await handle.close();
  }
  await rename(temporary, path);
  await syncPath(dirname(path));
}

/** Makes the content of a file, or the names in a directory, durable. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
