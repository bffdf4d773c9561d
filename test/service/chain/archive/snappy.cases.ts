import * as fc from 'fast-check';
import { compress, uncompress } from 'snappyjs';

import { FormatError } from '../../../../src/service/chain/archive/errors';
import { Unframer } from '../../../../src/service/chain/archive/snappy';
import { fuzzing } from '../../../support/fuzz';
import { crc32c, frame } from '../../../support/service/era1-writer';

const unframe = (bytes: Uint8Array, maxLength = 1 << 20) =>
  Buffer.from(new Unframer().unframe(bytes, 0, bytes.length, maxLength));

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/** A framed stream of one compressed chunk, with the checksum of `said`. */
function framed(block: Uint8Array, said: Uint8Array): Buffer {
  const crc = crc32c(said);
  const length = block.length + 4;
  return Buffer.concat([
    Buffer.from('ff060000734e61507059', 'hex'),
    Buffer.from([0, length & 0xff, (length >> 8) & 0xff, length >> 16]),
    u32(((crc >>> 15) | (crc << 17)) + 0xa282ead8),
    block,
  ]);
}

/** A framed stream of one chunk that is not compressed. */
function plainChunk(size: number): Buffer {
  const data = Buffer.alloc(size, 'a');
  const stream = framed(data, data);
  stream[10] = 1;
  return stream;
}

/** A block as snappyjs decompresses it; undefined if it refuses the block. */
function readByOthers(block: Uint8Array): Buffer | undefined {
  try {
    return Buffer.from(uncompress(block, 65_536));
  } catch {
    return undefined;
  }
}

/** Bytes that repeat at short and long distances, as headers and bodies do, and bytes that do not. */
const data = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 70 }), fc.integer({ min: 1, max: 300 }))
        .map(([piece, times]) => {
          const all = new Uint8Array(piece.length * times);
          for (let i = 0; i < times; i++) all.set(piece, i * piece.length);
          return all;
        }),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => Buffer.concat(pieces));

describe('snappy frames', () => {
  test('return what an independent writer put in, compressed or not', () => {
    fc.assert(
      fc.property(data, fc.boolean(), (bytes, plain) => {
        expect(unframe(frame(bytes, plain)).equals(bytes)).toBe(true);
      }),
      fuzzing(100),
    );
  });

  test('are decompressed one after the other into the same memory', () => {
    const unframer = new Unframer();
    const [long, short] = [frame(Buffer.alloc(300_000, 'long')), frame(Buffer.from('short'))];
    expect(Buffer.from(unframer.unframe(long, 0, long.length, 1 << 20)).equals(Buffer.alloc(300_000, 'long'))).toBe(
      true,
    );
    expect(Buffer.from(unframer.unframe(short, 0, short.length, 1 << 20)).toString()).toBe('short');
  });

  test('may be anywhere in the bytes', () => {
    const stream = frame(Buffer.from('here'));
    const bytes = Buffer.concat([Buffer.from('before'), stream, Buffer.from('after')]);
    expect(Buffer.from(new Unframer().unframe(bytes, 6, 6 + stream.length, 10)).toString()).toBe('here');
  });

  const a100 = Buffer.alloc(100, 'a');
  const digits = Buffer.from('0123456789'.repeat(30));
  test.each<[what: string, block: string, said: Buffer]>([
    ['a literal whose length takes one byte', `64f063${a100.toString('hex')}`, a100],
    ['a literal whose length takes two bytes', `64f46300${a100.toString('hex')}`, a100],
    ['a literal whose length takes three bytes', `64f8630000${a100.toString('hex')}`, a100],
    ['a literal whose length takes four bytes', `64fc63000000${a100.toString('hex')}`, a100],
    ['a copy over itself, with an offset of one byte', '0800610d01', Buffer.alloc(8, 'a')],
    [
      'a copy from 300 bytes before',
      `b002f42b01${digits.toString('hex')}212c`,
      Buffer.concat([digits, digits.subarray(0, 4)]),
    ],
    ['a copy with an offset of two bytes', '0808616263120300', Buffer.from('abcabcab')],
    ['a copy with an offset of four bytes', '08086162631303000000', Buffer.from('abcabcab')],
    ['nothing', '00', Buffer.alloc(0)],
  ])('hold %s', (_, hex, said) => {
    const block = Buffer.from(hex, 'hex');
    expect(Buffer.from(uncompress(block)).equals(said)).toBe(true);
    expect(unframe(framed(block, said)).equals(said)).toBe(true);
  });

  const undone = 'snappy data cannot be decompressed';
  test.each<[what: string, block: string, said: string]>([
    ['no length', '', ''],
    ['a length without end', '808080808080', ''],
    ['a length in six bytes', '81808080800061', 'a'],
    ['fewer bytes than their length', '050061', 'a'],
    ['more bytes than their length', '01046162', 'ab'],
    ['a literal that is cut off', '0208616263', 'ab'],
    ['a literal whose length is cut off', '64f4', 'a'],
    ['a literal of 4 GiB', '01fcfaffffff', 'a'],
    ['a copy from 4 GiB before', '0800610fffffffff', 'aaaaaaaa'],
    ['a copy whose offset is cut off', '0808616263', 'abc'],
    ['a copy of two bytes whose offset is cut off', '080861626312', 'abc'],
    ['a copy from before the first byte', '0800610d02', 'aaaaaaaa'],
    ['a copy from nowhere', '0800610d00', 'aaaaaaaa'],
    ['a copy beyond their length', '0400610d01', 'aaaa'],
  ])('with %s are rejected', (_, hex, said) => {
    expect(() => unframe(framed(Buffer.from(hex, 'hex'), Buffer.from(said)))).toThrow(undone);
  });

  test('do not copy from the previous chunk', () => {
    const [first, second] = [
      framed(Buffer.from('0100' + '61', 'hex'), Buffer.from('a')),
      framed(Buffer.from('040d01', 'hex'), Buffer.from('aaaa')),
    ];
    expect(unframe(Buffer.concat([first, first])).toString()).toBe('aa');
    expect(() => unframe(Buffer.concat([first, second]))).toThrow(undone);
  });

  test.each<[what: string, change: (stream: Buffer) => Buffer, message: string]>([
    ['without their identifier', (stream) => stream.subarray(10), 'no snappy stream identifier'],
    ['that are cut off', (stream) => stream.subarray(0, -1), 'truncated snappy frame'],
    ['whose last head is cut off', (stream) => Buffer.concat([stream, Buffer.of(0, 0)]), 'truncated snappy frame'],
    [
      'too short for a checksum',
      (stream) => Buffer.concat([stream, Buffer.of(1, 3, 0, 0, 0, 0, 0)]),
      'truncated snappy frame',
    ],
    [
      'of an unknown kind',
      (stream) => Buffer.concat([stream, Buffer.of(2, 0, 0, 0)]),
      'snappy frame of unknown type 0x2',
    ],
    ['with a plain chunk over 64 KiB', () => plainChunk(65_537), 'snappy frame of more than 64 KiB'],
    [
      'with a compressed chunk over 64 KiB',
      () => framed(Buffer.from('81800400', 'hex'), Buffer.from('a')),
      'snappy frame of more than 64 KiB',
    ],
    ['with another checksum', (stream) => stream.fill(0, 14, 18), 'snappy frame with a wrong checksum'],
  ])('%s are rejected', (_, change, message) => {
    expect(() => unframe(change(frame(Buffer.from('some bytes'), true)))).toThrow(message);
  });

  test('may contain chunks to skip', () => {
    expect(unframe(Buffer.concat([frame(Buffer.from('a')), Buffer.of(0xfe, 2, 0, 0, 1, 2)])).toString()).toBe('a');
  });

  test('produce no more than allowed', () => {
    const stream = frame(Buffer.alloc(100_000));
    expect(unframe(stream, 100_000)).toHaveLength(100_000);
    expect(() => unframe(stream, 99_999)).toThrow('more than 99999 bytes uncompressed');
  });

  test('are rejected or read like other implementations do, whichever byte is changed', () => {
    const block = compress(Buffer.from('abcabcabcabcabcabc, and some more of abcabc'));
    const outcomes = { same: 0, refused: 0, refusedByUsOnly: 0 };
    for (let at = 0; at < block.length; at++) {
      for (let byte = 0; byte < 256; byte++) {
        const changed = Uint8Array.from(block);
        changed[at] = byte;
        const said = readByOthers(changed);
        const stream = framed(changed, said ?? Buffer.alloc(0));
        try {
          expect(unframe(stream).equals(said ?? Buffer.alloc(0))).toBe(true);
          outcomes.same++;
        } catch (error) {
          expect(error).toEqual(new FormatError(undone));
          outcomes[said === undefined ? 'refused' : 'refusedByUsOnly']++;
        }
      }
    }
    // The other reader accepts some chunks that are too short or too long.
    expect(outcomes).toEqual({ same: 7176, refused: 1328, refusedByUsOnly: 200 });
  });
});
