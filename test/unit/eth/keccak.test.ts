import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';

import { keccak256 } from '../../../src/eth/keccak';
import { fuzzing } from '../../helpers/fuzz';

describe('keccak256', () => {
  it.each([
    // The empty message, and the three of the Keccak team's test vectors that Ethereum's documents repeat.
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    ['hello', '1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8'],
    ['The quick brown fox jumps over the lazy dog', '4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15'],
  ])('of %j', (text, hash) => {
    expect(bytesToHex(keccak256(utf8ToBytes(text)))).toBe(hash);
  });

  it('is the library’s for every length of up to six blocks', () => {
    for (let length = 0; length <= 6 * 136; length++) {
      const message = Uint8Array.from({ length }, (_, index) => (index * 151 + length) & 255);
      expect(bytesToHex(keccak256(message))).toBe(bytesToHex(keccak_256(message)));
    }
  });

  it('is the library’s for any bytes, also for a view into a longer buffer', () => {
    const anyMessage = fc.uint8Array({ maxLength: 5000, size: 'max' });
    fc.assert(
      fc.property(anyMessage, fc.nat(50), (message, offset) => {
        const buffer = new Uint8Array(offset + message.length + 7).fill(0xa5);
        buffer.set(message, offset);
        const hash = keccak256(buffer.subarray(offset, offset + message.length));
        expect(bytesToHex(hash)).toBe(bytesToHex(keccak_256(message)));
      }),
      fuzzing(500),
    );
  });

  it('leaves the message as it was, and gives a new array each time', () => {
    const message = new Uint8Array(300).fill(7);
    const first = keccak256(message);
    const kept = bytesToHex(first);
    keccak256(utf8ToBytes('another'));
    expect(bytesToHex(first)).toBe(kept);
    expect(message.every((byte) => byte === 7)).toBe(true);
  });

  it('runs the permutation that the generator writes', () => {
    const root = join(__dirname, '../../..');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(root, 'scripts/generate-keccak.ts'), '--check'],
      { cwd: root, encoding: 'utf8' },
    );
    // Node may warn of something there, too.
    expect({ status, said: status === 0 ? '' : stderr }).toEqual({ status: 0, said: '' });
  });
});
