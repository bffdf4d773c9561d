import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { archiveDir } from '../../src/service/chain/archive/catalog';
import { benchImport, benchLookups, writeSynthetic } from './archive';
import { Figures } from './figures';
import { uncleList } from './programs';
import { benchTransports } from './transports';

/*
 * Measures the chain service, and prints the figures as JSON; those of a few rounds with `--quick`. Figures can only
 * be compared with those of the same run.
 */

/** Mainnet's first era1 file. */
const EPOCH = resolve(import.meta.dirname, '../../../shared/data/mainnet-00000-5ec1ffb8.era1');

/** Requests a measurement, measurements a server, and blocks of the synthetic archive, as many as mainnet's uncles. */
const EXTENT = process.argv.includes('--quick')
  ? { requests: 2000, rounds: 1, blocks: 20_000 }
  : { requests: 50_000, rounds: 9, blocks: 1_500_000 };

const folder = mkdtempSync(join(tmpdir(), 'keystead-bench-'));
const figures = new Figures();
try {
  if (existsSync(EPOCH)) await benchImport(figures, EPOCH, folder);
  else process.stderr.write(`skipped import: ${EPOCH} is missing\n`);
  const dataDir = join(folder, 'served');
  const archive = archiveDir(dataDir, 'mainnet');
  writeSynthetic(archive, uncleList(), EXTENT.blocks);
  await benchTransports(figures, { dataDir, folder, ...EXTENT });
  await benchLookups(figures, archive, EXTENT.blocks);
  process.stdout.write(`${JSON.stringify(figures.end(), undefined, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
