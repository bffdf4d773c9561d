import { createHash, randomBytes } from 'node:crypto';
import fs, { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { RLP } from '@ethereumjs/rlp';

import { loadKeccak } from '../../../../src/service/chain/archive/hashing';
import { verifyArchive } from '../../../../src/service/chain/archive/verify';
import { filesIn, testArchive } from '../../../support/service/archive';
import { exportFile, makeChain, type TestBlock } from '../../../support/service/chain';
import { accumulator, era1File, era1Name, frame } from '../../../support/service/era1-writer';
import { expectBlocks } from '../../../support/service/expect-archive';
import { writeFile } from '../../../support/service/folder';

const held = makeChain({ length: 100 });
const next = makeChain({ length: 50, after: held.at(-1)! });
const heldFile = era1File(held);
const nextFile = era1File(next);
const nextExport = exportFile(next);

const flipped = (bytes: Uint8Array, at: number) => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] as number) ^ 0x10;
  return copy;
};

const withHeader = (blocks: readonly TestBlock[], at: number, change: (fields: Uint8Array[]) => void) =>
  blocks.map((block, i) => {
    if (i !== at) return block;
    const fields = [...(block.header as Uint8Array[])];
    change(fields);
    return { ...block, header: fields };
  });

const withoutUncles = next.map((block) => (block.number === 110 ? { ...block, uncles: [] } : block));
const otherChain = makeChain({ length: 50, start: 100, salt: ' of another chain' });
const wrongTotal = next.map((block) =>
  block.number === 120 ? { ...block, totalDifficulty: block.totalDifficulty + 1n } : block,
);

/** Where the first header's entry, body and receipts lie in an era1 file. */
const entryAt = (file: Buffer, index: number) => {
  let at = 8;
  for (let i = 0; i < index; i++) at += 8 + file.readUInt32LE(at + 2);
  return at;
};

const CORRUPT: [string, string, Uint8Array, RegExp][] = [
  [
    'a flipped bit in a header',
    'a.era1',
    flipped(nextFile, entryAt(nextFile, 0) + 40),
    /^block 100: .*snappy (?:frame|data)/,
  ],
  ['a flipped bit in an uncle list', 'a.era1', flipped(nextFile, entryAt(nextFile, 21) + 60), /^block 105: .*snappy/],
  [
    'a flipped bit in a total difficulty',
    'a.era1',
    flipped(nextFile, entryAt(nextFile, 3) + 8),
    /^block 101: total difficulty/,
  ],
  [
    'a flipped bit in the kind of an entry',
    'a.era1',
    flipped(nextFile, entryAt(nextFile, 1)),
    /^block 100: no compressed body/,
  ],
  [
    'a flipped bit in the reserved bytes',
    'a.era1',
    flipped(nextFile, entryAt(nextFile, 2) + 7),
    /^block 100: .*reserved/,
  ],
  [
    'a flipped bit in the index',
    'a.era1',
    flipped(nextFile, nextFile.length - 20),
    /^block \d+ is not at the position in the block index/,
  ],
  [
    'a flipped bit in the accumulator',
    'a.era1',
    flipped(nextFile, entryAt(nextFile, 200) + 8),
    /^the accumulator does not match the blocks/,
  ],
  ['an era1 file cut in the middle', 'a.era1', nextFile.subarray(0, 5000), /truncated/],
  ['an era1 file that lacks its last byte', 'a.era1', nextFile.subarray(0, -1), /truncated|block index/],
  ['an era1 file of a few bytes', 'a.era1', nextFile.subarray(0, 20), /too short/],
  [
    'the accumulator of other blocks',
    'a.era1',
    era1File(next, { root: accumulator(held) }),
    /^the accumulator does not match the blocks/,
  ],
  ['a total difficulty that does not add up', 'a.era1', era1File(wrongTotal), /^block 120: total difficulty/],
  [
    'a header that names another parent',
    'a.era1',
    era1File(withHeader(next, 3, (fields) => (fields[0] = new Uint8Array(32)))),
    /^block 103: parent hash does not match block 102/,
  ],
  [
    'a number out of order',
    'a.era1',
    era1File([...next.slice(0, 10), ...next.slice(11)]),
    /^block 111: expected block 110/,
  ],
  ['uncles missing that the header commits to', 'a.era1', era1File(withoutUncles), /^block 110: uncles do not match/],
  [
    'something that is not a header',
    'a.era1',
    era1File(withHeader(next, 0, (fields) => fields.splice(3, 1))),
    /^block 100: not a block header/,
  ],
  [
    'another chain',
    'a.era1',
    era1File(otherChain),
    /^block 100 does not follow block 99 of the archive \(from held.era1\): wrong parent hash/,
  ],
  [
    'an era1 file named after other contents',
    era1Name('testnet', next, new Uint8Array(32)),
    nextFile,
    /^the file name says epoch 00000, but the first block is 100/,
  ],
  [
    'an era1 file of another network',
    era1Name('mainnet', next),
    nextFile,
    /^the file name says mainnet, but this is the archive of testnet/,
  ],
  [
    'blocks that overlap',
    'a.era1',
    era1File([...held.slice(90), ...next]),
    /^blocks 90-149 overlap blocks 0-99 in the archive \(from held.era1\)/,
  ],
  [
    'a duplicate block in an export',
    'a.rlp',
    exportFile([...next.slice(0, 5), next[4]!, ...next.slice(5)]),
    /^block 104: expected block 105/,
  ],
  [
    'an export with a wrong parent',
    'a.rlp',
    exportFile(withHeader(next, 3, (fields) => (fields[0] = new Uint8Array(32)))),
    /^block 103: parent hash/,
  ],
  ['an export with a flipped bit', 'a.rlp', flipped(nextExport, 300), /parent hash|RLP|not a block/],
  ['an export that is cut', 'a.rlp', nextExport.subarray(0, -100), /^truncated within a block/],
  ['an export with wrong uncles', 'a.rlp', exportFile(withoutUncles), /^block 110: uncles do not match/],
  [
    'a gzipped export that is cut',
    'a.rlp.gz',
    gzipSync(nextExport).subarray(0, -30),
    /gzip data is damaged or truncated/,
  ],
  [
    'a gzipped export with a flipped bit',
    'a.rlp.gz',
    flipped(gzipSync(nextExport, { level: 0 }), 4000),
    /gzip|parent hash|RLP|not a block|uncles/,
  ],
  ['gzipped zeros', 'a.gz', gzipSync(Buffer.alloc(16 << 20)), /not a block/],
  [
    'a gzipped block that is said to have 2 GiB',
    'a.gz',
    gzipSync(Buffer.concat([Buffer.from('fb7fffffff', 'hex'), Buffer.alloc(1 << 20)])),
    /not a block/,
  ],
  [
    'a gzipped block of 8 MiB of zeros',
    'a.gz',
    gzipSync(Buffer.concat([Buffer.from('fa800000', 'hex'), Buffer.alloc(8 << 20)])),
    /header|RLP|list/,
  ],
  ['a gzipped text', 'a.gz', gzipSync('hello, this is not a chain'), /not a block/],
  ['a text', 'a.txt', Buffer.from('hello, this is not a chain'), /^not an archive/],
  ['an empty file', 'a.era1', new Uint8Array(), /^not an archive/],
  ['an empty gzip file', 'a.gz', gzipSync(''), /^contains no block/],
];

test.each(CORRUPT)('%s is rejected by name, and earlier imports stay valid', async (_, name, content, reason) => {
  const archive = testArchive();
  await archive.import(writeFile('held.era1', heldFile));
  const { files } = await archive.import(writeFile(name, content));
  expect(files).toEqual([
    { file: name, outcome: 'refused', blocks: 0, uncles: 0, reason: expect.stringMatching(reason) as string },
  ]);
  expect(filesIn(archive.dir)).toEqual(['0000000000-0000000099.uncles']);
  const opened = await archive.open();
  expectBlocks(opened, held, 'known');
  opened.close();
  expect(verifyArchive(archive.dir, 'testnet', await loadKeccak())).toMatchObject({ blocks: 100, problems: [] });
});

test('reading of a compressed export stops at the first fault', async () => {
  const content = Buffer.concat([nextExport, Buffer.from([0]), randomBytes(32 << 20)]);
  const path = writeFile('bad.rlp.gz', gzipSync(content, { level: 0 }));
  const opened = jest.spyOn(fs, 'createReadStream');
  expect((await testArchive().import(path)).files).toMatchObject([{ outcome: 'refused' }]);
  const [stream] = opened.mock.results.map(({ value }) => value as fs.ReadStream);
  if (!stream!.closed) await new Promise<void>((resolve) => stream!.once('close', resolve));
  expect(stream!.bytesRead).toBeLessThan(content.length / 2);
});

test('a bad file does not stop the good ones of the same import, and the earlier of two overlapping files wins', async () => {
  const archive = testArchive();
  const { files } = await archive.import(
    writeFile('first.era1', heldFile),
    writeFile('broken.era1', nextFile.subarray(0, 5000)),
    writeFile('overlap.rlp', exportFile([...held.slice(90), ...next])),
    writeFile('next.era1', nextFile),
  );
  expect(files.map(({ file, outcome }) => [file, outcome])).toEqual([
    ['first.era1', 'imported'],
    ['broken.era1', 'refused'],
    ['overlap.rlp', 'refused'],
    ['next.era1', 'imported'],
  ]);
});

test('a decompression bomb is rejected by its size', async () => {
  const archive = testArchive();
  const at = entryAt(nextFile, 0);
  const big = frame(new Uint8Array(1024 * 1024));
  const file = Buffer.concat([
    nextFile.subarray(0, at),
    Buffer.from([3, 0]),
    u32(big.length),
    Buffer.alloc(2),
    big,
    nextFile.subarray(at),
  ]);
  const { files } = await archive.import(writeFile('a.era1', file));
  expect(files[0]).toMatchObject({ outcome: 'refused' });
});

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

describe('a damaged archive', () => {
  const damaged = async (damage: (bytes: Buffer) => Buffer) => {
    const archive = testArchive();
    await archive.import(writeFile('held.era1', heldFile), writeFile('next.era1', nextFile));
    const path = join(archive.dir, '0000000100-0000000149.uncles');
    writeFileSync(path, damage(readFileSync(path)));
    return archive;
  };

  test.each([
    ['the records', (bytes: Buffer) => flipped(bytes, bytes.length - 200)],
    ['the hashes', (bytes: Buffer) => flipped(bytes, 1200)],
    ['the digest', (bytes: Buffer) => flipped(bytes, bytes.length - 1)],
  ])('%s: verify names the segment and confirms the others', async (_, damage) => {
    const archive = await damaged(damage);
    expect(verifyArchive(archive.dir, 'testnet', await loadKeccak())).toMatchObject({
      blocks: 100,
      covered: [{ start: 0, end: 99 }],
      problems: [expect.stringMatching(/^0000000100-0000000149.uncles: damaged: digest mismatch/)],
    });
  });

  test.each([
    ['a segment that is cut', (bytes: Buffer) => bytes.subarray(0, 2000), /the file ends early/],
    ['no segment at all', () => Buffer.from('hello, this is no segment'), /not a segment of this version/],
    ['a description that is no JSON', (bytes: Buffer) => flipped(bytes, 12), /JSON|Expected/],
  ])('%s does not open', async (_, damage, reason) => {
    const archive = await damaged(damage);
    await expect(archive.open()).rejects.toThrow(reason);
  });

  /** Replaces the digest at the end by the one of the content. */
  const sealed = (bytes: Buffer) => {
    const content = bytes.subarray(0, -32);
    return Buffer.concat([content, createHash('sha256').update(content).digest()]);
  };
  /** The position of the numbers of the blocks with records, which follow the description. */
  const numbersAt = (bytes: Buffer) => 12 + bytes.readUInt32LE(8);
  /** Changes one number. A negative `index` counts from the end; `change` gets the number and the first one. */
  const withNumber = (index: number, change: (number: number, first: number) => number) => (bytes: Buffer) => {
    const { records } = JSON.parse(bytes.toString('utf8', 12, numbersAt(bytes))) as { records: number };
    const at = numbersAt(bytes) + 4 * (index < 0 ? records + index : index);
    const copy = Buffer.from(bytes);
    copy.writeUInt32LE(change(copy.readUInt32LE(at), copy.readUInt32LE(numbersAt(bytes))), at);
    return sealed(copy);
  };
  const withDescription = (from: RegExp, to: string) => (bytes: Buffer) => {
    const description = bytes.toString('utf8', 12, numbersAt(bytes)).replace(from, to);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(description));
    return sealed(
      Buffer.concat([bytes.subarray(0, 8), length, Buffer.from(description), bytes.subarray(numbersAt(bytes))]),
    );
  };

  /** Makes the record of the last block with uncles too long. */
  const withLongRecord = (bytes: Buffer) => {
    const { records } = JSON.parse(bytes.toString('utf8', 12, numbersAt(bytes))) as { records: number };
    const endAt = numbersAt(bytes) + 4 * 2 * records;
    const copy = Buffer.from(bytes);
    copy.writeUInt32LE(copy.readUInt32LE(endAt) + 1_000_000, endAt);
    return sealed(copy);
  };

  /** Gives an uncle's difficulty a leading zero, which RLP does not allow in a number. */
  const withShapeless = (number: number, index: number) => (bytes: Buffer) => {
    const uncle = next[number - 100]!.uncles[index] as Uint8Array[];
    const header = Buffer.from(RLP.encode(uncle));
    const copy = Buffer.from(bytes);
    copy[copy.indexOf(header) + header.indexOf(RLP.encode(uncle[7]!)) + 1] = 0;
    return sealed(copy);
  };

  test.each([
    ['in the first list', withShapeless(105, 0)],
    ['second in its list', withShapeless(110, 1)],
    ['in the last list', withShapeless(145, 0)],
  ])('an uncle with an invalid shape, %s, under a valid digest: verify reports it', async (_, damage) => {
    const archive = await damaged(damage);
    expect(verifyArchive(archive.dir, 'testnet', await loadKeccak())).toMatchObject({
      blocks: 100,
      problems: [expect.stringMatching(/49\.uncles: the uncle header has an invalid difficulty$/u)],
    });
  });

  test.each([
    [
      'another last hash',
      withDescription(/"lastHash":"0x[^"]{4}/u, '"lastHash":"0x0000'),
      /the last hash does not match/,
    ],
    ['more uncles', withDescription(/"uncles":/u, '"uncles":9'), /: found \d+ uncles, but the description says 9\d+$/],
    ['a block twice', withNumber(1, (_number, before) => before), /: block 1\d\d is out of order$/],
    ['a block before it', withNumber(0, () => 99), /: block 99 is out of order$/],
    ['a block behind it', withNumber(-1, () => 150), /: block 150 is out of order$/],
    ['a record that ends behind the file', withLongRecord, /: the file ends early$/],
  ])('%s, under a valid digest: verify reports it', async (_, damage, reason) => {
    const archive = await damaged(damage);
    const { blocks, problems } = verifyArchive(archive.dir, 'testnet', await loadKeccak());
    expect([blocks, problems]).toEqual([100, [expect.stringMatching(reason)]]);
  });

  test('verify counts the content of all segments', async () => {
    const archive = await damaged((bytes) => bytes);
    const uncles = [...held, ...next].reduce((sum, block) => sum + block.uncles.length, 0);
    expect(verifyArchive(archive.dir, 'testnet', await loadKeccak())).toEqual({
      segments: 2,
      blocks: 150,
      uncles,
      covered: [{ start: 0, end: 149 }],
      problems: [],
    });
  });

  test('a valid segment of another chain: verify reports that it does not follow', async () => {
    const source = testArchive();
    await source.import(writeFile('other.era1', era1File(otherChain)));
    const archive = await damaged(() => readFileSync(join(source.dir, '0000000100-0000000149.uncles')));
    expect(verifyArchive(archive.dir, 'testnet', await loadKeccak())).toMatchObject({
      covered: [{ start: 0, end: 99 }],
      problems: [expect.stringMatching(/: block 100 does not follow block 99 of the archive/)],
    });
  });

  test('verify continues after unreadable segments, names each, and confirms the rest', async () => {
    const archive = await damaged((bytes) => bytes.subarray(0, 2000));
    writeFileSync(join(archive.dir, '0000000200-0000000300.uncles'), 'hello, this is no segment');
    mkdirSync(join(archive.dir, '0000000400-0000000500.uncles'));
    expect(verifyArchive(archive.dir, 'testnet', await loadKeccak())).toMatchObject({
      segments: 4,
      blocks: 100,
      covered: [{ start: 0, end: 99 }],
      problems: [
        '0000000100-0000000149.uncles: damaged: the file ends early',
        '0000000200-0000000300.uncles: damaged: not a segment of this version',
        '0000000400-0000000500.uncles: cannot be read (EISDIR)',
      ],
    });
  });
});
