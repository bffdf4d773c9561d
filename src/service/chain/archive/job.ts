import { join } from 'node:path';

import { errorCode } from '../../runtime/error-code';
import { fromHex } from './bytes';
import { checkChecksum, type Checksums } from './checksums';
import { ArchiveError } from './errors';
import { readEra1, type Hashes } from './era1';
import { readExport } from './export';
import { loadKeccak, loadSha256 } from './hashing';
import { EMPTY_UNCLES_HASH } from './header';
import { writeSegment, type SegmentContent, type SegmentInfo } from './segment';
import type { Source } from './sniff';

/** Suffix of unfinished segments; leftovers of a crash are deleted. */
export const UNFINISHED_SUFFIX = '.unfinished';

/** One file to read, verify and turn into segments. Can be sent to another process. */
export type Job = { id: number; source: Source; network: string; dir: string; checksums: Checksums | undefined };

export type JobEvent =
  | { type: 'progress'; blocks: number; bytes: number }
  /** A verified segment, written to disk under a temporary name. */
  | { type: 'segment'; path: string; info: SegmentInfo }
  | { type: 'done' }
  | { type: 'refused'; reason: string };

/** @returns Why a file could not be imported, in a few words. */
export const reasonOf = (error: unknown): string =>
  error instanceof ArchiveError ? error.reason : `could not be imported (${errorCode(error) ?? String(error)})`;

/** @returns The hash functions that reading needs. */
export async function loadHashes(): Promise<Hashes> {
  const [keccak, sha256] = await Promise.all([loadKeccak(), loadSha256()]);
  return { keccak, sha256, emptyUnclesHash: fromHex(EMPTY_UNCLES_HASH) };
}

async function* segmentsOf(job: Job, hashes: Hashes, emit: (event: JobEvent) => void): AsyncGenerator<SegmentContent> {
  const { source, network } = job;
  const onProgress = (blocks: number, bytes: number) => {
    emit({ type: 'progress', blocks, bytes });
  };
  if (source.kind === 'era1') yield readEra1(source.path, { network, hashes, onProgress });
  else yield* readExport(source.path, source.kind === 'export-gzip', { network, hashes, onProgress });
}

/**
 * Reads and verifies one file, and writes its segments into the archive's folder for the importer to admit.
 *
 * @param job - What to read.
 * @param emit - Called with progress, with each segment, and finally with the outcome.
 */
export async function runJob(job: Job, emit: (event: JobEvent) => void): Promise<void> {
  try {
    if (job.checksums) await checkChecksum(job.source.path, job.checksums);
    let written = 0;
    for await (const content of segmentsOf(job, await loadHashes(), emit)) {
      const path = join(job.dir, `${process.pid}-${job.id}-${written}${UNFINISHED_SUFFIX}`);
      writeSegment(path, content);
      written += 1;
      emit({ type: 'segment', path, info: content.info });
    }
    emit({ type: 'done' });
  } catch (error) {
    emit({ type: 'refused', reason: reasonOf(error) });
  }
}
