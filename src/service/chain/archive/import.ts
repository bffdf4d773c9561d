import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { makeDirectory } from '../../runtime/directory';
import { lockForProcess } from '../../runtime/process-lock';
import { Catalog, openSegments } from './catalog';
import type { Checksums } from './checksums';
import { ArchiveError } from './errors';
import { readEra1Claim } from './era1';
import { reasonOf, UNFINISHED_SUFFIX, type JobEvent } from './job';
import type { Pool } from './pool';
import { segmentName, type SegmentInfo } from './segment';
import type { Source, Sources } from './sniff';
import { OrderedQueue } from './ordered-queue';

/** Prevents two concurrent imports. */
const LOCK = 'import.sqlite';

/**
 * The result for one file. `held`: the archive already had its blocks, with the same hashes. A refused file may still
 * have contributed the blocks before its first fault: `blocks` and `uncles` count the new ones.
 */
export type FileReport = {
  file: string;
  outcome: 'imported' | 'held' | 'refused';
  blocks: number;
  uncles: number;
  reason?: string;
};

export type ImportReport = { files: FileReport[]; blocks: number; uncles: number };

/** Totals of the whole import. `bytes` and `totalBytes` refer to file sizes on disk. */
export type Progress = { blocks: number; bytes: number; totalBytes: number; done: number; files: number };

export type ImportOptions = {
  /** The archive's folder; created if it does not exist. */
  dir: string;
  network: string;
  /** The files to import; see findSources. */
  found: Sources;
  checksums?: Checksums | undefined;
  pool: Pool;
  onProgress?: (progress: Progress) => void;
  onFile?: (report: FileReport) => void;
};

/** Renames a finished segment into place and syncs the rename to disk. */
function publish(dir: string, path: string, info: SegmentInfo): void {
  renameSync(path, join(dir, segmentName(info)));
  const folder = openSync(dir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The report for a path with nothing to read. */
const refusal = ({ file, reason }: ArchiveError): FileReport => ({
  file,
  outcome: 'refused',
  blocks: 0,
  uncles: 0,
  reason,
});

function removeUnfinished(dir: string): void {
  for (const name of readdirSync(dir)) if (name.endsWith(UNFINISHED_SUFFIX)) rmSync(join(dir, name), { force: true });
}

/** The state of one import: progress and reports. */
class Import {
  readonly files: FileReport[] = [];
  readonly #options: ImportOptions;
  readonly #catalog: Catalog;
  readonly #order = new OrderedQueue();
  readonly #progress: Progress;
  /** Blocks and bytes of each job so far. */
  readonly #reached = new Map<number, { blocks: number; bytes: number }>();
  /** An error that makes it pointless to continue: the archive cannot be written. */
  failure: unknown;

  constructor(options: ImportOptions, catalog: Catalog, sources: readonly Source[]) {
    this.#options = options;
    this.#catalog = catalog;
    const totalBytes = sources.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#progress = { blocks: 0, bytes: 0, totalBytes, done: 0, files: sources.length };
  }

  report(report: FileReport): void {
    this.files.push(report);
    this.#options.onFile?.(report);
  }

  /**
   * Reads one file and commits its segments in turn, so that of two overlapping files always the later one is refused.
   */
  async file(source: Source, id: number): Promise<void> {
    const { dir, network, checksums, pool } = this.#options;
    const report: FileReport = { file: source.name, outcome: 'held', blocks: 0, uncles: 0 };
    const refuse = (reason: string) => Object.assign(report, { outcome: 'refused', reason });
    const commit = (event: JobEvent) => {
      if (event.type === 'refused' && report.outcome !== 'refused') refuse(event.reason);
      if (event.type === 'segment' && report.outcome !== 'refused') this.#commit(event, report, refuse);
    };
    try {
      if (!this.#holds(source)) {
        await pool.run({ id, source, network, dir, checksums }, (event) => {
          if (event.type === 'progress') this.#advance(id, event.blocks, event.bytes);
          else this.#inTurn(id, () => commit(event));
        });
      }
    } catch (error) {
      refuse(reasonOf(error));
    }
    this.#advance(id, this.#reached.get(id)?.blocks ?? 0, source.bytes);
    this.#inTurn(id, () => {
      this.#progress.done += 1;
      this.#options.onProgress?.(this.#progress);
      this.report(report);
    });
    this.#order.end(id);
  }

  /** @returns Whether the archive has the file's blocks, according to the file's own index. */
  #holds({ path, kind }: Source): boolean {
    return kind === 'era1' && this.#catalog.holds(readEra1Claim(path));
  }

  #commit(
    { path, info }: Extract<JobEvent, { type: 'segment' }>,
    report: FileReport,
    refuse: (reason: string) => void,
  ): void {
    try {
      if (this.#catalog.admit(report.file, info) === 'held') return;
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      refuse(error.reason);
      return;
    }
    publish(this.#options.dir, path, info);
    this.#catalog.add(info);
    report.outcome = 'imported';
    report.blocks += info.end - info.start + 1;
    report.uncles += info.uncles;
  }

  /** Events come from other processes, so an error in handling one is stored for the caller of the import. */
  #inTurn(id: number, action: () => void): void {
    this.#order.run(id, () => {
      try {
        action();
      } catch (error) {
        this.failure ??= error;
      }
    });
  }

  #advance(id: number, blocks: number, bytes: number): void {
    const before = this.#reached.get(id) ?? { blocks: 0, bytes: 0 };
    this.#reached.set(id, { blocks, bytes });
    this.#progress.blocks += blocks - before.blocks;
    this.#progress.bytes += bytes - before.bytes;
    this.#options.onProgress?.(this.#progress);
  }
}

/**
 * Imports files into an archive. Every segment is verified, written completely, and only then renamed into place: a
 * killed import leaves complete segments, and the next one continues from there.
 *
 * @param options - What to import, where to, and who reads. The pool is closed at the end.
 * @returns The result for each file. A refused file does not stop the others. If there is no file to read, no archive
 * is created.
 * @throws {ConfigError} If the archive's folder cannot be created.
 * @throws {LockedError} If another process is importing into the archive.
 * @throws {ArchiveError} If the archive itself is damaged.
 */
export async function importArchive(options: ImportOptions): Promise<ImportReport> {
  const { dir, network, pool } = options;
  const { sources, refused } = options.found;
  if (sources.length === 0) {
    pool.close();
    const files = refused.map(refusal);
    for (const file of files) options.onFile?.(file);
    return { files, blocks: 0, uncles: 0 };
  }
  makeDirectory(dir);
  const unlock = lockForProcess(join(dir, LOCK), (holder) => `${holder} is importing into this archive`);
  try {
    removeUnfinished(dir);
    const catalog = new Catalog(
      network,
      openSegments(dir).map(({ info }) => info),
    );
    const run = new Import(options, catalog, sources);
    for (const error of refused) run.report(refusal(error));

    let next = 0;
    const worker = async () => {
      for (let id = next++; id < sources.length && run.failure === undefined; id = next++)
        await run.file(sources[id] as Source, id);
    };
    await Promise.all(Array.from({ length: Math.min(pool.size, sources.length) }, worker));
    if (run.failure !== undefined) throw run.failure;
    const total = (of: 'blocks' | 'uncles') => run.files.reduce((sum, file) => sum + file[of], 0);
    return { files: run.files, blocks: total('blocks'), uncles: total('uncles') };
  } finally {
    pool.close();
    removeUnfinished(dir);
    unlock();
  }
}
