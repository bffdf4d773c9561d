import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { ArchiveError } from './errors';

/** Expected SHA-256 digests of files: by file name, and for lists without names, as a set. */
export type Checksums = { list: string; byName: ReadonlyMap<string, string>; anonymous: ReadonlySet<string> };

const LINE = /^(?:0x)?(?<digest>[0-9a-f]{64})(?:\s+\*?(?<name>\S.*))?$/iu;

/**
 * Reads a checksum list: one SHA-256 digest per line, with or without the file's name (`sha256sum`, and the lists that
 * era1 servers publish).
 *
 * @param path - Path of the list.
 * @returns The digests.
 * @throws {ArchiveError} If a line is something else.
 */
export function readChecksums(path: string): Checksums {
  const byName = new Map<string, string>();
  const anonymous = new Set<string>();
  const list = basename(path);
  readFileSync(path, 'utf8')
    .split(/\r?\n/u)
    .forEach((line, i) => {
      if (line.trim() === '') return;
      const { digest, name } = LINE.exec(line.trim())?.groups ?? {};
      if (digest === undefined) throw new ArchiveError(list, `line ${i + 1} is not a SHA-256 digest`);
      if (name === undefined) anonymous.add(digest.toLowerCase());
      else byName.set(basename(name), digest.toLowerCase());
    });
  return { list, byName, anonymous };
}

/**
 * Reads a whole file and checks it against a list.
 *
 * @param path - Path of the file.
 * @param checksums - The list.
 * @throws {ArchiveError} If the file is not in the list or differs.
 */
export async function checkChecksum(path: string, { list, byName, anonymous }: Checksums): Promise<void> {
  const name = basename(path);
  const expected = byName.get(name);
  if (expected === undefined && anonymous.size === 0) throw new ArchiveError(name, `not in the checksum list ${list}`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 4 * 1024 * 1024 }), hash);
  const digest = hash.digest('hex');
  if (expected === undefined ? !anonymous.has(digest) : digest !== expected)
    throw new ArchiveError(name, `SHA-256 does not match ${list}`);
}
