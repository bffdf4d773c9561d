import { closeSync, openSync } from 'node:fs';
import { basename } from 'node:path';

import { toHex } from './bytes';
import { Catalog, openSegments, ranges, type Range } from './catalog';
import { ArchiveError, FormatError } from './errors';
import type { Hash } from './hashing';
import { checkDigest, readHash, readRecord, type Segment } from './segment';
import { uncleHeaders, uncleJson } from './uncle';

export type VerifyReport = {
  segments: number;
  blocks: number;
  uncles: number;
  covered: Range[];
  /** What is wrong, a sentence each; empty if the archive is sound. */
  problems: string[];
};

function checkSegment(segment: Segment, keccak: Hash): number {
  const fd = openSync(segment.path, 'r');
  try {
    checkDigest(segment, fd);
    const { info, numbers } = segment;
    if (toHex(readHash(segment, fd, info.end)) !== info.lastHash)
      throw new FormatError('its last hash is not the one it describes');
    let uncles = 0;
    numbers.forEach((number, i) => {
      if (number < info.start || number > info.end || number <= (numbers[i - 1] ?? -1))
        throw new FormatError(`block ${number} is out of order`);
      const headers = uncleHeaders(readRecord(segment, fd, i).list);
      for (const header of headers) uncleJson(header, keccak, null);
      uncles += headers.length;
    });
    if (uncles !== info.uncles) throw new FormatError(`${uncles} uncles where ${info.uncles} are described`);
    return uncles;
  } finally {
    closeSync(fd);
  }
}

/**
 * Checks all of an archive again: every byte against its segment's digest, every uncle's shape, and the links between
 * segments and to the blocks whose hashes are known beforehand.
 *
 * @param dir - The archive's folder.
 * @param network - Its name.
 * @param keccak - Keccak-256.
 * @returns What is there and what is wrong with it.
 * @throws {ArchiveError} If a segment cannot even be opened.
 */
export function verifyArchive(dir: string, network: string, keccak: Hash): VerifyReport {
  const segments = openSegments(dir);
  const sound = new Catalog(network, []);
  const report: VerifyReport = { segments: segments.length, blocks: 0, uncles: 0, covered: [], problems: [] };
  segments.forEach((segment) => {
    const name = basename(segment.path);
    try {
      report.uncles += checkSegment(segment, keccak);
      sound.admit(name, segment.info);
      sound.add(segment.info);
      report.blocks += segment.info.end - segment.info.start + 1;
    } catch (error) {
      if (error instanceof ArchiveError) report.problems.push(error.message);
      else if (error instanceof FormatError || error instanceof RangeError)
        report.problems.push(`${name}: ${error.message}`);
      else throw error;
    }
  });
  report.covered = ranges(sound.infos);
  return report;
}
