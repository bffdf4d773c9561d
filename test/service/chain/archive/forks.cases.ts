import { readFileSync } from 'node:fs';

import { RLP } from '@ethereumjs/rlp';

import { testArchive } from '../../../support/service/archive';
import { dataFile, writeFile } from '../../../support/service/folder';
import { allForks, type BlockObject, headerBytes } from '../../../support/service/uncle-node';

const facts = JSON.parse(readFileSync(dataFile('header-facts.json'), 'utf8')) as {
  fork: string;
  header: BlockObject;
}[];

test('blocks of every fork up to Prague are imported with their hashes and uncles', async () => {
  const archive = testArchive('hivechain');
  await archive.import(dataFile('hivechain.rlp'));
  const opened = await archive.open();
  for (const { number, hash, uncles } of allForks()) {
    expect(opened.provenHash(number)).toBe(hash);
    expect(opened.block(number)).toEqual({ number, uncleCount: uncles.length });
  }
  opened.close();
});

test.each(facts)('a block after $fork is imported, whatever its body has after the uncles', async ({ header }) => {
  const bodies = [[], [[]], [[], [Uint8Array.of(1, 2)]]];
  for (const [at, more] of bodies.entries()) {
    const archive = testArchive(`fork-${at}`);
    const report = await archive.import(writeFile('one.rlp', RLP.encode([headerBytes(header), [], [], ...more])));
    expect(report.blocks).toBe(1);
    const opened = await archive.open();
    const number = Number(header['number']);
    expect(opened.provenHash(number)).toBe(header['hash']);
    expect(opened.provenHash(number - 1)).toBe(header['parentHash']);
    opened.close();
  }
});
