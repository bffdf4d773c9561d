import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { Archive } from '../../src/service/archive/archive';
import { archiveDir } from '../../src/service/archive/catalog';
import { loadKeccak } from '../../src/service/archive/hashing';
import { importArchive } from '../../src/service/archive/import';
import { localPool } from '../../src/service/archive/pool';
import { segmentName, writeSegment } from '../../src/service/archive/segment';

const microseconds = (value: number) => `${value.toFixed(1)} us`;

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;
}

/** Looks up what `of` returns, `count` times, and says how long it took. */
function measure(count: number, look: (i: number) => unknown): string {
  for (let i = 0; i < count / 10; i++) look(i);
  const times: number[] = [];
  const started = performance.now();
  for (let i = 0; i < count; i++) {
    const before = performance.now();
    look(i);
    times.push(1000 * (performance.now() - before));
  }
  const rate = Math.round((count / (performance.now() - started)) * 1000);
  times.sort((a, b) => a - b);
  return `${rate.toLocaleString('en')}/s, p50 ${microseconds(percentile(times, 0.5))}, p99 ${microseconds(percentile(times, 0.99))}`;
}

/** Imports one file again and again into empty archives, on one core. */
export async function benchImport(file: string, folder: string): Promise<string> {
  let best = 0;
  for (let round = 0; round < 5; round++) {
    const dir = archiveDir(join(folder, String(round)), 'mainnet');
    const started = performance.now();
    const { blocks } = await importArchive({ dir, network: 'mainnet', paths: [file], pool: localPool });
    best = Math.max(best, Math.round((blocks / (performance.now() - started)) * 1000));
  }
  return `${best.toLocaleString('en')} blocks/s, all verified (best of 5)`;
}

const SEGMENT_BLOCKS = 8192;

/** Writes an archive of made-up blocks that all have one uncle: `uncle` again and again, under random hashes. */
function writeSynthetic(dir: string, uncle: Uint8Array, blocks: number): void {
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

/** Opens an archive as large as that of all of mainnet and looks up at random. */
export async function benchLookups(folder: string, uncleList: Uint8Array, blocks: number): Promise<[string, string][]> {
  const dir = archiveDir(folder, 'synthetic');
  writeSynthetic(dir, uncleList, blocks);
  const keccak = await loadKeccak();
  const started = performance.now();
  const archive = new Archive({ dir, keccak, lastPowBlock: blocks - 1 });
  const opened = performance.now() - started;
  // Some of the hashes, in memory for the measurement only.
  const hashes: Uint8Array[] = [];
  const random = (below: number) => Math.floor(Math.random() * below);
  for (let i = 0; i < 2000; i++) hashes.push(archive.hashOf(random(blocks)) as Uint8Array);
  const results: [string, string][] = [
    ['blocks with uncles', blocks.toLocaleString('en')],
    ['opened in', `${Math.round(opened)} ms`],
    ['index in memory', `${(archive.indexBytes / 1e6).toFixed(1)} MB`],
    ['by number', measure(100_000, () => archive.uncle(random(blocks), 0, false))],
    [
      'by hash',
      measure(100_000, () => {
        const number = archive.numberOf(hashes[random(hashes.length)] as Uint8Array);
        return archive.uncle(number as number, 0, false);
      }),
    ],
  ];
  archive.close();
  return results;
}
