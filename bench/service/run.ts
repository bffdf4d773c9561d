import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { archiveDir } from '../../src/service/chain/archive/catalog';
import { numbers } from '../numbers';
import { type Figure, main, Report } from '../report';
import { benchImport, benchLookups, writeSynthetic } from './archive';
import { uncleList } from './programs';
import { benchTransports } from './transports';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Mainnet's first era1 file; relative to the root of the repository. */
const EPOCH = '../shared/data/mainnet-00000-5ec1ffb8.era1';

const USAGE = `npm run bench:service                                  the chain service: 50,000 requests, 9 rounds, 1,500,000 blocks
npm run bench:service -- REQUESTS ROUNDS BLOCKS        other numbers, or the first of them`;

export type ServiceBenchOptions = {
  /** Requests per measurement. */
  requests?: number;
  /** Measurements per server. */
  rounds?: number;
  /** Blocks of the synthetic archive. */
  syntheticBlocks?: number;
};

/**
 * Measures the chain service on this machine at its current load: compare the figures with each other, not with those
 * of another machine.
 */
export async function run({
  requests = 50_000,
  rounds = 9,
  syntheticBlocks = 1_500_000,
}: ServiceBenchOptions = {}): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-bench-'));
  const report = new Report();
  try {
    const epoch = resolve(root, EPOCH);
    if (existsSync(epoch)) {
      await benchImport(report, epoch, folder);
    } else process.stderr.write(`skipped import: it needs mainnet's first epoch in ${EPOCH}\n`);
    const dataDir = join(folder, 'served');
    const archive = archiveDir(dataDir, 'mainnet');
    writeSynthetic(archive, uncleList(), syntheticBlocks);
    await benchTransports(report, { dataDir, folder, blocks: syntheticBlocks, requests, rounds });
    await benchLookups(report, archive, syntheticBlocks);
    return report.end();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [requests, rounds, syntheticBlocks] = numbers(USAGE, 1e9, 1e3, 1e8);
  await main(() =>
    run({
      ...(requests !== undefined && { requests }),
      ...(rounds !== undefined && { rounds }),
      ...(syntheticBlocks !== undefined && { syntheticBlocks }),
    }),
  );
}
