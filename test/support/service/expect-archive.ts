import { RLP } from '@ethereumjs/rlp';

import type { Archive } from '../../../src/service/chain/archive/archive';
import { hashOf, hex, type TestBlock } from './chain';
import { uncleOf } from './uncle';

/** Compares all answers of an archive about made-up blocks with the blocks. */
export function expectBlocks(archive: Archive, blocks: readonly TestBlock[], totals: 'known' | 'unknown'): void {
  for (const { number, hash, uncles, uncleTotals } of blocks) {
    expect(archive.block(number)).toEqual({ number, uncleCount: uncles.length });
    expect(archive.numberOf(hash)).toBe(number);
    uncles.forEach((header, i) => {
      const fields = header as Uint8Array[];
      const total = totals === 'known' ? `0x${uncleTotals[i]!.toString(16)}` : null;
      expect(uncleOf(archive, number, i, true)).toMatchObject({
        number: `0x${(number - 1).toString(16)}`,
        hash: hex(hashOf(header)),
        parentHash: hex(fields[0]!),
        extraData: hex(fields[12]!),
        size: `0x${RLP.encode([header, [], []]).length.toString(16)}`,
        totalDifficulty: total,
        uncles: [],
      });
    });
    expect(uncleOf(archive, number, uncles.length, false)).toBeNull();
  }
}
