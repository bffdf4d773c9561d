import fc from 'fast-check';

import { type Hex } from '../../src/core/eth/bytes';
import { judgeRecipients } from '../../src/core/decode/effects/judge/recipients';
import { imitates, strangersAmong } from '../../src/core/decode/effects/recipients';
import { Verdict } from '../../src/core/decode/effects/verdict';
import { fuzzing } from '../support/fuzz';

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length });
const anyAddress = digits(40).map((all): Hex => `0x${all}`);
/** Two addresses that share their ends more often than chance has it. */
const anyPair = fc
  .tuple(digits(4), digits(32), digits(4), digits(4), digits(32), digits(4), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([start, middle, end, start2, middle2, end2, sameStart, sameMiddle, sameEnd]): [Hex, Hex] => [
    `0x${start}${middle}${end}`,
    `0x${sameStart ? start : start2}${sameMiddle ? middle : middle2}${sameEnd ? end : end2}`,
  ]);

const upperCase = (address: Hex): Hex => `0x${address.slice(2).toUpperCase()}`;

describe('an imitation', () => {
  it('is never of itself, in any case', () => {
    fc.assert(
      fc.property(anyAddress, (address) => {
        expect(imitates(address, address)).toBe(false);
        expect(imitates(address, upperCase(address))).toBe(false);
      }),
      fuzzing(200),
    );
  });

  it('is mutual, depends on no case, and shares both ends', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        const [x, y] = [a.toLowerCase(), b.toLowerCase()];
        const expected = x !== y && x.startsWith(y.slice(0, 6)) && x.endsWith(y.slice(38));
        expect(imitates(a, b)).toBe(expected);
        expect(imitates(b, a)).toBe(expected);
        expect(imitates(upperCase(a), b)).toBe(expected);
      }),
      fuzzing(500),
    );
  });

  it('is flagged exactly where a new recipient imitates an earlier one or an own account', () => {
    fc.assert(
      fc.property(anyPair, fc.boolean(), ([recipient, familiar], isOwn) => {
        const facts = { used: isOwn ? [] : [familiar], own: isOwn ? { [familiar]: 'Mine' } : {}, hasCode: {} };
        const verdict = new Verdict();
        judgeRecipients([{ address: recipient, carriesData: false }], facts, verdict);
        const codes = verdict.dangers.map(({ code }) => code);
        expect(codes).toEqual(imitates(recipient, familiar) ? ['address-poisoning'] : []);
        const isSame = recipient.toLowerCase() === familiar.toLowerCase();
        expect(strangersAmong([recipient], facts)).toEqual(isSame ? [] : [recipient]);
      }),
      fuzzing(500),
    );
  });
});
