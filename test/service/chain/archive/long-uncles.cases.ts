import { Archive } from '../../../../src/service/chain/archive/archive';
import { loadKeccak } from '../../../../src/service/chain/archive/hashing';
import { testArchive } from '../../../support/service/archive';
import { exportFile, makeChain } from '../../../support/service/chain';
import { writeFile } from '../../../support/service/folder';

test('requested uncles are cached, except those of a chain that allows very long ones', async () => {
  const keccak = await loadKeccak();
  const reads: number[] = [];
  for (const salt of ['', 'x'.repeat(1000), 'x'.repeat(60_000)]) {
    const { dir, import: take } = testArchive();
    await take(writeFile('chain.rlp', exportFile(makeChain({ length: 11, salt }))));
    let hashed = 0;
    const count: typeof keccak = (bytes) => {
      hashed += 1;
      return keccak(bytes);
    };
    const archive = new Archive({ dir, keccak: count, lastPowBlock: undefined });
    const first = archive.uncle(10, 0, false);
    expect(first).toContain(Buffer.from(`uncle 0 of 10${salt}`).toString('hex'));
    expect([archive.uncle(10, 0, false), archive.uncle(10, 0, false)]).toEqual([first, first]);
    reads.push(hashed);
    archive.close();
  }
  expect(reads).toEqual([1, 1, 3]);
});
