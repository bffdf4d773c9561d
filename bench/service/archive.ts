import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { Archive } from '../../src/service/chain/archive/archive';
import { archiveDir } from '../../src/service/chain/archive/catalog';
import { loadKeccak } from '../../src/service/chain/archive/hashing';
import { importArchive } from '../../src/service/chain/archive/import';
import { localPool } from '../../src/service/chain/archive/pool';
import { findSources } from '../../src/service/chain/archive/sniff';
import { segmentName, writeSegment } from '../../src/service/chain/archive/segment';
import { step } from '../progress';
import { type Figures } from './figures';

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
}

/** Looks up `count` times, in several runs, since other programs may occupy the processor during one of them. */
function measure(figures: Figures, name: string, count: number, look: () => unknown): void {
  const runs = Array.from({ length: RUNS }, () => {
    const times: number[] = [];
    const before = process.cpuUsage();
    for (let i = 0; i < count; i++) {
      const started = performance.now();
      look();
      times.push(1000 * (performance.now() - started));
    }
    const { user, system } = process.cpuUsage(before);
    times.sort((a, b) => a - b);
    return { rate: count / ((user + system) / 1e6), p99: percentile(times, 0.99) };
  });
  // The first one warms up.
  const counted = runs.slice(1);
  const slow = counted.map(({ p99 }) => p99);
  figures.add(`look-ups ${name}`, Math.max(...counted.map(({ rate }) => rate)), 'a CPU-second');
  const all = slow.map((p99) => p99.toFixed(1)).join(', ');
  figures.add(`look-ups ${name}, p99`, Math.min(...slow), 'us', `runs: ${all}`);
}

const RUNS = 6;
const LOOKUPS = 50_000;

/** All of mainnet is 1,897 files, so the first few, while the engine still compiles, should not count. */
const WARM_UP = 5;
const IMPORTS = 15;

/** Imports one file repeatedly into empty archives, on one core. */
export async function benchImport(figures: Figures, file: string, folder: string): Promise<void> {
  const rates: number[] = [];
  let elapsed = 0;
  for (let round = 0; round < IMPORTS; round++) {
    step('imports of an era1 file', [round, IMPORTS]);
    const dir = archiveDir(join(folder, String(round)), 'mainnet');
    const [started, before] = [performance.now(), process.cpuUsage()];
    const { blocks } = await importArchive({ dir, network: 'mainnet', found: findSources([file]), pool: localPool });
    const { user, system } = process.cpuUsage(before);
    if (round >= WARM_UP) rates.push(blocks / ((user + system) / 1e6));
    elapsed = Math.max(elapsed, blocks / ((performance.now() - started) / 1000));
  }
  rates.sort((a, b) => a - b);
  figures.add(
    'import, era1, all verified',
    rates.at(-1) ?? NaN,
    'blocks/CPU-second',
    `best of ${rates.length}, median ${Math.round(percentile(rates, 0.5))}; ${Math.round(elapsed)} a second, elapsed`,
  );
}

const SEGMENT_BLOCKS = 8192;

/**
 * Writes an archive of synthetic blocks that all have the same one uncle, under random hashes.
 *
 * @param dir - The archive's folder.
 * @param uncle - RLP of the uncle list of each block.
 * @param blocks - How many, from 0.
 */
export function writeSynthetic(dir: string, uncle: Uint8Array, blocks: number): void {
  mkdirSync(dir, { recursive: true });
  const record = Buffer.concat([Buffer.of(1), Buffer.alloc(32), uncle]);
  for (let start = 0; start < blocks; start += SEGMENT_BLOCKS) {
    const count = Math.min(SEGMENT_BLOCKS, blocks - start);
    const info = {
      start,
      end: start + count - 1,
      records: count,
      uncles: count,
      dataBytes: count * record.length,
      parentHash: `0x${'00'.repeat(32)}`,
      lastHash: `0x${'00'.repeat(32)}`,
      base: null,
      sums: ['0x1'],
      accumulator: null,
      source: 'synthetic',
    };
    writeSegment(join(dir, segmentName(info)), {
      info,
      numbers: Uint32Array.from({ length: count }, (_, i) => start + i),
      offsets: Uint32Array.from({ length: count + 1 }, (_, i) => i * record.length),
      hashes: randomBytes(32 * count),
      data: Array.from({ length: count }, () => record),
    });
  }
}

/**
 * Opens an archive and looks up random uncles.
 *
 * @param dir - A synthetic archive as large as that of all of mainnet.
 * @param blocks - Its number of blocks.
 */
export async function benchLookups(figures: Figures, dir: string, blocks: number): Promise<void> {
  const keccak = await loadKeccak();
  const archive = new Archive({ dir, keccak, lastPowBlock: blocks - 1 });
  figures.add('synthetic archive, index in memory', archive.indexBytes / 1e6, 'MB');
  const random = (below: number) => Math.floor(Math.random() * below);
  measure(figures, 'by number', LOOKUPS, () => archive.uncle(random(blocks), 0, false));
  // In sequence, so that no result is still cached when it is requested again.
  const hashes = Array.from({ length: LOOKUPS }, () => archive.hashOf(random(blocks)) as Uint8Array);
  let next = 0;
  measure(figures, 'by hash', LOOKUPS, () => {
    const number = archive.numberOf(hashes[next++ % LOOKUPS] as Uint8Array);
    return archive.uncle(number as number, 0, false);
  });
  archive.close();
}
