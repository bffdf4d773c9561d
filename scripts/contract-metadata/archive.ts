import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** The folder of the archive, its pin and its licence. */
export const FOLDER = join(import.meta.dirname, 'registry');
/** The files of the ERC-7730 registry: one JSON object of their texts by path, compressed with Brotli. */
export const ARCHIVE = join(FOLDER, 'registry.json.br');

/** The commit that the archive was made from, and the SHA-256 of its text before compression. */
export const PIN = JSON.parse(readFileSync(join(FOLDER, 'pin.json'), 'utf8')) as {
  readonly repository: string;
  readonly commit: string;
  readonly sha256: string;
};

/** @throws If the archive is not the pinned one. */
export function openArchive(archive: Uint8Array, sha256: string): Readonly<Record<string, string>> {
  const text = brotliDecompressSync(archive);
  const found = createHash('sha256').update(text).digest('hex');
  if (found !== sha256) throw new Error(`the registry's archive has the SHA-256 ${found}, pin.json says ${sha256}`);
  return JSON.parse(text.toString()) as Record<string, string>;
}
