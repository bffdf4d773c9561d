import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { perRun } from '../../../support/nightly';
import { testArchive } from '../../../support/service/archive';
import { exportFile, makeChain } from '../../../support/service/chain';
import { era1File } from '../../../support/service/era1-writer';
import { writeFile } from '../../../support/service/folder';

const chain = makeChain({ length: 30, start: 1000 });

/** Everything that an archive made of this file takes its answers from. */
async function segmentOf(file: Uint8Array): Promise<Buffer | 'refused'> {
  const archive = testArchive();
  const { files } = await archive.import(writeFile('a', file));
  if (files[0]?.outcome === 'refused') return 'refused';
  return readFileSync(join(archive.dir, readdirSync(archive.dir)[0]!));
}

/**
 * Transactions and receipts are not read, so some flipped bits can only be found with a checksum list. None of them may
 * change an answer, except in the last header of an export, which nothing in the file vouches for.
 */
test.each([
  ['era1', era1File(chain), 0],
  ['export', exportFile(chain), exportFile(chain.slice(-1)).length],
])('flipping any bit of an %s file makes it rejected or changes nothing', async (_, file, tip) => {
  const good = await segmentOf(file);
  await fc.assert(
    fc.asyncProperty(fc.nat(file.length - 1 - tip), fc.nat(7), async (at, bit) => {
      const bad = Buffer.from(file);
      bad[at] = bad[at]! ^ (1 << bit);
      const got = await segmentOf(bad);
      expect(got === 'refused' || got.equals(good as Buffer)).toBe(true);
    }),
    { seed: 20150730, numRuns: perRun(84, 250) },
  );
});
