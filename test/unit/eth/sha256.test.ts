import { createHash, createHmac } from 'node:crypto';

import fc from 'fast-check';

import { hmacSha256, sha256 } from '../../../src/eth/sha256';
import { fuzzing } from '../../helpers/fuzz';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('sha256', () => {
  it('gives the hashes of FIPS 180-4', () => {
    expect(hex(sha256(Buffer.from('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(hex(sha256(Buffer.from('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')))).toBe(
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    );
  });

  it('gives what Node gives, at every length of the first four blocks', () => {
    for (let length = 0; length <= 256; length++) {
      const message = Uint8Array.from({ length }, (_, index) => (index * 7 + length) & 0xff);
      expect(hex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'));
    }
  });

  it('gives what Node gives, for any bytes, and leaves them as they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1000 }), (message) => {
        const before = hex(message);
        expect(hex(sha256(message))).toBe(createHash('sha256').update(message).digest('hex'));
        expect(hex(message)).toBe(before);
      }),
      fuzzing(300),
    );
  });
});

describe('hmacSha256', () => {
  it('gives the code of RFC 4231, test case 2', () => {
    expect(hex(hmacSha256(Buffer.from('Jefe'), Buffer.from('what do ya want for nothing?')))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('gives what Node gives, for any key of at most a block', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.uint8Array({ maxLength: 300 }), (key, message) => {
        const before = hex(key);
        expect(hex(hmacSha256(key, message))).toBe(createHmac('sha256', key).update(message).digest('hex'));
        expect(hex(key)).toBe(before);
      }),
      fuzzing(300),
    );
  });
});

describe('what they work in', () => {
  /** All arrays that the work copied from, into, or wiped, while it ran. */
  function touchedBy(work: () => Uint8Array): { result: Uint8Array; touched: (Uint8Array | Int32Array)[] } {
    // The two kinds of array may come from different realms in a test.
    const prototypes = [Uint8Array, Int32Array].map((kind) => Object.getPrototypeOf(kind.prototype) as Int32Array);
    const spies = prototypes.map((prototype) => ({
      called: [jest.spyOn(prototype, 'set'), jest.spyOn(prototype, 'fill')],
      copied: jest.spyOn(prototype, 'slice'),
    }));
    const result = work();
    const touched = spies.flatMap(({ called, copied }) => [
      ...called.flatMap((spy) => spy.mock.contexts as Int32Array[]),
      ...copied.mock.results.map(({ value }) => value as Int32Array),
    ]);
    return { result, touched };
  }

  it.each([
    ['sha256', () => sha256(Buffer.from('a secret'.repeat(20)))],
    ['hmacSha256', () => hmacSha256(Buffer.from('a key'), Buffer.from('a secret'.repeat(20)))],
  ])('%s leaves nothing in', (_name, work) => {
    const { result, touched } = touchedBy(work);
    const ours = touched.filter((array) => array.buffer !== result.buffer);
    expect(ours.length).toBeGreaterThan(4);
    for (const array of ours) expect([...array].every((value) => value === 0)).toBe(true);
    // What the blocks are spread over lives on from one message to the next.
    expect(ours.some((array) => array instanceof Int32Array && array.length === 64)).toBe(true);
  });
});
