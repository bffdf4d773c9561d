import { closeSync, openSync, statSync } from 'node:fs';
import { basename } from 'node:path';

import { errorCode } from '../../runtime/error-code';
import { toHex } from './bytes';
import { Catalog, ranges, segmentPaths, type Range } from './catalog';
import { ArchiveError, FormatError } from './errors';
import type { Hash } from './hashing';
import type { Progress } from './import';
import { checkDigest, openSegment, readHash, readRecord, type Segment } from './segment';
import { uncleHeaders, uncleJson } from './uncle';

export type VerifyReport = {
  /** Number of segment files, including damaged ones. */
  segments: number;
  blocks: number;
  uncles: number;
  covered: Range[];
  /** What is wrong, one sentence each; empty if the archive is sound. */
  problems: string[];
};

function checkSegment(segment: Segment, keccak: Hash): number {
  const fd = openSync(segment.path, 'r');
  try {
    checkDigest(segment, fd);
    const { info, numbers } = segment;
    if (toHex(readHash(segment, fd, info.end)) !== info.lastHash)
      throw new FormatError('the last hash does not match the description');
    let uncles = 0;
    numbers.forEach((number, i) => {
      if (number < info.start || number > info.end || number <= (numbers[i - 1] ?? -1))
        throw new FormatError(`block ${number} is out of order`);
      const headers = uncleHeaders(readRecord(segment, fd, i).list);
      for (const header of headers) uncleJson(header, keccak, null);
      uncles += headers.length;
    });
    if (uncles !== info.uncles)
      throw new FormatError(`found ${uncles} uncles, but the description says ${info.uncles}`);
    return uncles;
  } finally {
    closeSync(fd);
  }
}

/** @returns The size of a file, for the progress only; an unreadable file is reported later, when it is read. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** @returns The problem of a segment that an error reveals; undefined if the error is not about the segment. */
function problemOf(name: string, error: unknown): string | undefined {
  if (error instanceof ArchiveError) return error.message;
  if (error instanceof FormatError || error instanceof RangeError) return `${name}: ${error.message}`;
  const code = errorCode(error);
  return code === undefined ? undefined : `${name}: cannot be read (${code})`;
}

/**
 * Checks a whole archive again: every byte against its segment's digest, every uncle's shape, and the links between
 * segments and to the blocks with known hashes. It continues after a damaged or unreadable segment.
 *
 * @param dir - The archive's folder.
 * @param network - Its name.
 * @param keccak - Keccak-256.
 * @param onProgress - Called before the first segment and after each.
 * @returns What is there and what is wrong with it.
 */
export function verifyArchive(
  dir: string,
  network: string,
  keccak: Hash,
  onProgress?: (progress: Progress) => void,
): VerifyReport {
  const paths = segmentPaths(dir);
  const sound = new Catalog(network, []);
  const report: VerifyReport = { segments: paths.length, blocks: 0, uncles: 0, covered: [], problems: [] };
  const sizes = paths.map(sizeOf);
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
  let bytes = 0;
  const showProgress = (done: number) =>
    onProgress?.({ blocks: report.blocks, bytes, totalBytes, done, files: paths.length });
  showProgress(0);
  for (const [i, path] of paths.entries()) {
    const name = basename(path);
    try {
      const segment = openSegment(path);
      const uncles = checkSegment(segment, keccak);
      sound.admit(name, segment.info);
      sound.add(segment.info);
      report.uncles += uncles;
      report.blocks += segment.info.end - segment.info.start + 1;
    } catch (error) {
      const problem = problemOf(name, error);
      if (problem === undefined) throw error;
      report.problems.push(problem);
    }
    bytes += sizes[i] ?? 0;
    showProgress(i + 1);
  }
  report.covered = ranges(sound.infos);
  return report;
}
