import { existsSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';

import { InvalidArgumentError, type Command } from 'commander';

import { archiveDir, holdsSegments, openSegments, ranges, type Range } from '../chain/archive/catalog';
import { readChecksums, type Checksums } from '../chain/archive/checksums';
import { ArchiveError } from '../chain/archive/errors';
import { loadKeccak } from '../chain/archive/hashing';
import { importArchive, type FileReport, type Progress } from '../chain/archive/import';
import { knownNetworks } from '../chain/archive/known';
import { localPool, processPool, serveJobs, WORKER_COMMAND } from '../chain/archive/pool';
import { findSources } from '../chain/archive/sniff';
import { verifyArchive, type VerifyReport } from '../chain/archive/verify';
import { ConfigError } from '../runtime/config';
import { type ServiceConfig } from './config';
import { errorCode } from '../runtime/error-code';
import { printable } from '../runtime/printable';
import { table } from '../runtime/table';
import { addCommand, print, ReportedFailure, settings, wholeNumber, type CommonOptions } from './command';
import { checkDataDir, makeDataDir, type DataDir } from './data-dir';
import { SAMPLE_NETWORK } from './missing';
import { nearest } from './nearest';
import { progressBar } from './progress-bar';

type ArchiveOptions = CommonOptions & { network: string };

function networkName(text: string): string {
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/u.test(text))
    throw new InvalidArgumentError('Use lower-case letters, digits and dashes only.');
  return text;
}

function addArchiveCommand(parent: Command, usage: string, description: string): Command {
  return addCommand(parent, usage, description).option(
    '--network <name>',
    'name of the network whose archive to use',
    networkName,
    'mainnet',
  );
}

const count = (value: number) => value.toLocaleString('en');
const rangeText = ({ start, end }: Range) => `${start}-${end}`;

function reportText({ file: name, outcome, blocks, uncles, reason = '' }: FileReport): string {
  const file = printable(name);
  const got = `${count(blocks)} blocks, ${count(uncles)} uncles`;
  if (outcome === 'imported') return `${file}: ${got}`;
  if (outcome === 'held') return `${file}: already in the archive`;
  return `${file}: refused: ${printable(reason)}${blocks > 0 ? ` (after ${got})` : ''}`;
}

/** @returns The checksum list that the option names; undefined without the option. */
function checksumsOf(path: string | undefined): Checksums | undefined {
  if (path === undefined) return undefined;
  try {
    return readChecksums(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw new ConfigError(`--checksums: ${path}: cannot be read (${code})`, { cause: error });
  }
}

/** Warns when a new archive's name looks like a typo: any name is allowed, but this one is close to a known network. */
function warnAboutName(name: string, dir: string, { networks }: ServiceConfig): void {
  const names = [...knownNetworks(), ...networks.map((network) => network.name)];
  if (names.includes(name) || holdsSegments(dir)) return;
  const near = nearest(name, names);
  if (near === undefined) return;
  const what = 'unknown network, so a new archive of that name is created';
  process.stderr.write(`warning: --network ${name}: ${what}. Did you mean ${near}?\n`);
}

type ImportOptions = ArchiveOptions & { checksums?: string; jobs: number; sample?: true };

/**
 * The first blocks of mainnet. They come with the program: in a clone with the devnet, in the package with the bundle.
 */
const SAMPLE = 'mainnet-0-670.rlp.gz';

/**
 * @returns The files to import: those named, or the sample.
 * @throws {ConfigError} If both are asked for, or neither.
 */
function pathsOf(paths: string[], { sample, network }: ImportOptions): string[] {
  if (sample === undefined) {
    if (paths.length === 0) throw new ConfigError('name the files or folders to import, or use --sample');
    return paths;
  }
  if (paths.length > 0) throw new ConfigError('--sample: cannot be combined with files');
  if (network !== SAMPLE_NETWORK)
    throw new ConfigError(`--sample: holds blocks of ${SAMPLE_NETWORK}, not of ${network}`);
  const root = join(dirname(realpathSync(process.argv[1] ?? '.')), '..');
  const found = ['dist-service/sample', 'src/devnet/archive']
    .map((folder) => join(root, folder, SAMPLE))
    .find(existsSync);
  if (found === undefined) throw new ConfigError('--sample: the sample is not part of this installation');
  return [found];
}

/** @returns The bar of a command that reads files; undefined if none is shown. */
function filesBar(json: boolean) {
  const shown = '{done}/{files} files | {eta_formatted} left | {blocks} blocks | {rate} blocks/s';
  const bar = progressBar(json, process.stderr, shown);
  const started = performance.now();
  return (
    bar && {
      update: ({ blocks, bytes, totalBytes, done, files }: Progress) => {
        const rate = Math.round((blocks / (performance.now() - started)) * 1000);
        bar.update(bytes, totalBytes, { blocks: count(blocks), rate: count(rate), done, files });
      },
      stop: bar.stop,
    }
  );
}

async function importFiles(named: string[], options: ImportOptions): Promise<void> {
  const paths = pathsOf(named, options);
  const { config, dataDir, json } = settings(options);
  const dir = archiveDir(dataDir.path, options.network);
  const checksums = checksumsOf(options.checksums);
  const found = findSources(paths);
  // Create nothing when there is nothing to import.
  if (found.sources.length > 0) {
    makeDataDir(dataDir);
    warnAboutName(options.network, dir, config);
  }
  const bar = filesBar(json);
  const program = process.argv[1];
  const pool = options.jobs > 1 && program !== undefined ? processPool(options.jobs, program) : localPool;
  const started = performance.now();
  const report = await importArchive({
    dir,
    network: options.network,
    found,
    checksums,
    pool,
    onProgress: (progress) => bar?.update(progress),
    onFile: (file) => {
      if (!bar) print(json, file, () => reportText(file));
    },
  }).finally(() => bar?.stop());
  const seconds = (performance.now() - started) / 1000;
  if (bar) for (const file of report.files) print(false, file, () => reportText(file));
  const { blocks, uncles } = report;
  print(
    json,
    { blocks, uncles, seconds },
    () => `${count(blocks)} blocks and ${count(uncles)} uncles in ${seconds.toFixed(1)} s`,
  );
  if (report.files.some(({ outcome }) => outcome === 'refused')) throw new ReportedFailure();
}

/** @returns The folder of an archive that has at least one segment. */
function existing(dataDir: DataDir, network: string): string {
  checkDataDir(dataDir);
  const dir = archiveDir(dataDir.path, network);
  if (!holdsSegments(dir))
    throw new ArchiveError(network, 'no archive for this network yet; create one with keystead archive import');
  return dir;
}

async function verify(options: ArchiveOptions): Promise<void> {
  const { dataDir, json } = settings(options);
  const dir = existing(dataDir, options.network);
  const keccak = await loadKeccak();
  const bar = filesBar(json);
  let report: VerifyReport;
  try {
    report = verifyArchive(dir, options.network, keccak, (progress) => bar?.update(progress));
  } finally {
    bar?.stop();
  }
  print(json, report, () =>
    [
      `${count(report.blocks)} blocks and ${count(report.uncles)} uncles in ${report.segments} segment${report.segments === 1 ? '' : 's'}`,
      ...report.problems.map((problem) => `problem: ${printable(problem)}`),
      report.problems.length === 0 ? 'No problems found.' : 'Verification failed.',
    ].join('\n'),
  );
  if (report.problems.length > 0) throw new ReportedFailure();
}

function status(options: ArchiveOptions & { segments?: true }): void {
  const { dataDir, json } = settings(options);
  const segments = openSegments(existing(dataDir, options.network)).map(({ info }) => info);
  const covered = ranges(segments);
  const blocks = covered.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const uncles = segments.reduce((sum, info) => sum + info.uncles, 0);
  const listed = segments.map(({ start, end, records, uncles: own, source }) => ({
    start,
    end,
    records,
    uncles: own,
    source,
  }));
  const report = {
    network: options.network,
    blocks,
    uncles,
    covered,
    ...(options.segments ? { segments: listed } : {}),
  };
  print(json, report, () =>
    [
      table([
        ['Network', options.network],
        ['Blocks', count(blocks)],
        ['Uncles', count(uncles)],
        ['Covered', covered.map(rangeText).join(', ') || 'nothing'],
      ]),
      ...(options.segments
        ? [
            listed
              .map((info) => `${rangeText(info)}  ${count(info.uncles)} uncles  ${printable(info.source)}`)
              .join('\n'),
          ]
        : []),
    ].join('\n\n'),
  );
}

/** `archive import`, `archive verify`, `archive status`. */
export function archiveCommand(program: Command): void {
  const archive = program.command('archive').description('manage the uncle archive');

  addArchiveCommand(
    archive,
    'import [paths...]',
    'verify era1 files or chain exports (RLP, .gz) and import their uncles',
  )
    .option('--sample', 'import the first blocks of mainnet, which come with the program, to try it out')
    .option('--checksums <file>', 'reject files whose SHA-256 is not in this list')
    .option('--jobs <count>', 'number of files to read in parallel', wholeNumber(1, 1024), availableParallelism())
    .action(importFiles);
  addArchiveCommand(archive, 'verify', 'check every imported byte again').action(verify);
  addArchiveCommand(archive, 'status', 'show which blocks are covered')
    .option('--segments', 'list every segment and its source')
    .action(status);

  program.command(WORKER_COMMAND, { hidden: true }).action(serveJobs);
}
