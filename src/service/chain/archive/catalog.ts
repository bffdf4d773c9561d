import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ArchiveError } from './errors';
import { knownHashes } from './known';
import { openSegment, SEGMENT_SUFFIX, type Segment, type SegmentInfo } from './segment';

/** A run of consecutive blocks, both ends included. */
export type Range = { start: number; end: number };

/** @returns The folder of a network's archive. */
export const archiveDir = (dataDir: string, network: string) => join(dataDir, 'archive', network);

/** @returns The paths of an archive's segments; names sort in block order. */
export function segmentPaths(dir: string): string[] {
  const names = readdirSync(dir).filter((name) => name.endsWith(SEGMENT_SUFFIX));
  return names.sort().map((name) => join(dir, name));
}

/** @returns Whether an archive has any segment: a service, or an import without result, leaves an empty folder. */
export const holdsSegments = (dir: string): boolean => existsSync(dir) && segmentPaths(dir).length > 0;

/**
 * Opens every segment of an archive.
 *
 * @param dir - The archive's folder.
 * @returns The segments by block number.
 * @throws {ArchiveError} If one is damaged.
 */
export function openSegments(dir: string): Segment[] {
  return segmentPaths(dir)
    .map(openSegment)
    .sort((a, b) => a.info.start - b.info.start);
}

/**
 * @param infos - By block number.
 * @returns The covered ranges, with adjacent ones joined.
 */
export function ranges(infos: Iterable<Range>): Range[] {
  const joined: Range[] = [];
  for (const { start, end } of infos) {
    const last = joined.at(-1);
    if (last && last.end + 1 === start) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

const text = ({ start, end }: Range) => (start === end ? `block ${start}` : `blocks ${start}-${end}`);

function knownHash(info: SegmentInfo, number: number): string | undefined {
  if (number === info.end) return info.lastHash;
  return number === info.start - 1 ? info.parentHash : undefined;
}

/** The segments of an archive; decides whether another one fits. */
export class Catalog {
  readonly #network: string;
  readonly #infos: SegmentInfo[];

  constructor(network: string, infos: Iterable<SegmentInfo>) {
    this.#network = network;
    this.#infos = [...infos].sort((a, b) => a.start - b.start);
  }

  get infos(): readonly SegmentInfo[] {
    return this.#infos;
  }

  /** @returns Whether the archive has exactly the run that an era1 file claims to hold. */
  holds(claim: Range & { accumulator: string }): boolean {
    return this.#infos.some(
      ({ start, end, accumulator }) => start === claim.start && end === claim.end && accumulator === claim.accumulator,
    );
  }

  /**
   * Decides whether a verified run may join the archive: it must not overlap any segment, and must link to its
   * neighbours and to the blocks with known hashes.
   *
   * @param file - Its source, for the error message.
   * @param info - The run.
   * @returns `new`, or `held` if the archive already has exactly these blocks.
   * @throws {ArchiveError} If it does not fit.
   */
  admit(file: string, info: SegmentInfo): 'new' | 'held' {
    for (const other of this.#infos) {
      if (other.end < info.start || other.start > info.end) continue;
      if (other.start === info.start && other.end === info.end && other.lastHash === info.lastHash) return 'held';
      throw new ArchiveError(
        file,
        other.start === info.start && other.end === info.end
          ? `${text(info)} are already in the archive with different hashes (from ${other.source})`
          : `${text(info)} overlap ${text(other)} in the archive (from ${other.source})`,
      );
    }
    const before = this.#infos.find(({ end }) => end === info.start - 1);
    if (before && before.lastHash !== info.parentHash)
      throw new ArchiveError(
        file,
        `block ${info.start} does not follow block ${before.end} of the archive (from ${before.source}): wrong parent hash`,
      );
    const after = this.#infos.find(({ start }) => start === info.end + 1);
    if (after && after.parentHash !== info.lastHash)
      throw new ArchiveError(
        file,
        `block ${after.start} of the archive (from ${after.source}) does not follow block ${info.end}: wrong parent hash`,
      );
    for (const [number, hash] of knownHashes(this.#network)) {
      const found = knownHash(info, number);
      if (found !== undefined && found !== hash)
        throw new ArchiveError(file, `not the chain of ${this.#network}: block ${number} has a different hash`);
    }
    return 'new';
  }

  /** Adds an admitted run. */
  add(info: SegmentInfo): void {
    this.#infos.push(info);
    this.#infos.sort((a, b) => a.start - b.start);
  }
}
