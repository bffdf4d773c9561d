import { cpSync } from 'node:fs';

import { importArchive } from '../../src/service/chain/archive/import';
import { localPool } from '../../src/service/chain/archive/pool';
import { findSources } from '../../src/service/chain/archive/sniff';
import { archiveDir } from '../../src/service/chain/archive/catalog';
import { filesIn, testArchive } from '../support/service/archive';
import { exportFile, makeChain } from '../support/service/chain';
import { era1File } from '../support/service/era1-writer';
import { expectBlocks } from '../support/service/expect-archive';
import { makeFolder, writeFile } from '../support/service/folder';

/** A process that is killed leaves its files as they are: so they are copied whenever the import says how far it is. */
test('killed at every step of an import: what exists is complete, and the next import finishes it', async () => {
  const chain = makeChain({ length: 8192 + 2600 });
  const parts = [chain.slice(0, 300), chain.slice(300, 600)];
  const paths = [
    ...parts.map((part, i) => writeFile(`part-${i}.era1`, era1File(part))),
    writeFile('rest.rlp', exportFile(chain.slice(600))),
  ];
  const { dir } = testArchive();
  const moments: string[] = [];
  const copy = () => {
    const dataDir = makeFolder();
    cpSync(dir, archiveDir(dataDir, 'testnet'), { recursive: true });
    moments.push(dataDir);
  };
  await importArchive({
    dir,
    network: 'testnet',
    found: findSources(paths),
    pool: localPool,
    onProgress: copy,
    onFile: copy,
  });
  expect(moments.length).toBeGreaterThan(10);

  const covered = new Set<number>();
  for (const dataDir of moments) {
    const archive = testArchive('testnet', dataDir);
    const partial = await archive.open();
    const end = partial.covered[0]?.end ?? -1;
    covered.add(end);
    // Nothing but whole runs from the start, and every block of them right.
    expect(partial.covered).toEqual(end < 0 ? [] : [{ start: 0, end }]);
    expectBlocks(partial, chain.slice(Math.max(0, end - 50), end + 1), 'known');
    expect(partial.block(end + 1)).toBeUndefined();
    partial.close();

    const { files } = await archive.import(...paths);
    expect(files.filter(({ outcome }) => outcome === 'refused')).toEqual([]);
    expect(filesIn(archive.dir).filter((name) => !name.endsWith('.uncles'))).toEqual([]);
    const whole = await archive.open();
    expect(whole.covered).toEqual([{ start: 0, end: chain.length - 1 }]);
    whole.close();
  }
  expect(covered.size).toBeGreaterThanOrEqual(4);
});
