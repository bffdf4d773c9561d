import fc from 'fast-check';

import { type SmartAccountKind } from '../../src/core/erc4337/kind';
import { type Call } from '../../src/core/erc4337/user-operation';
import { type Hex } from '../../src/core/eth/bytes';
import { fuzzing } from './fuzz';

/**
 * Tests a kind's decoder with its own call data, truncated, extended or changed in one byte.
 *
 * @param kind - The kind of smart account.
 * @param calls - The encoded calls.
 * @param runs - Cases in `npm test`.
 * @throws If it decodes data that it would not have encoded.
 */
export function expectNoChangeUnderstood(kind: SmartAccountKind, calls: fc.Arbitrary<Call[]>, runs: number): void {
  fc.assert(
    fc.property(calls, fc.nat(), fc.integer({ min: 1, max: 255 }), (some, position, change) => {
      const whole = kind.encodeCalls(some);
      const cut = 10 + 2 * (position % ((whole.length - 10) / 2));
      expect(kind.decodeCalls(whole.slice(0, cut) as Hex)).toBeUndefined();
      expect(kind.decodeCalls(`${whole}00`)).toBeUndefined();
      const byte = (parseInt(whole.slice(cut, cut + 2), 16) ^ change).toString(16).padStart(2, '0');
      const bent: Hex = `0x${whole.slice(2, cut)}${byte}${whole.slice(cut + 2)}`;
      const decoded = kind.decodeCalls(bent);
      // Either it is rejected, or it is a valid encoding of other calls and decodes to those.
      if (decoded !== undefined) expect(kind.encodeCalls(decoded)).toBe(bent);
    }),
    fuzzing(runs),
  );
}
