import { type Hex } from '../../../../../src/core/eth/bytes';
import { assertNewOwners } from '../../../../../src/core/safe/recovery/new-owners';
import { party, SAFE, SENTINEL } from '../../../../support/recovery-node';

const guarded = { safe: SAFE, guardians: [party('1'), party('2')] };
const check =
  (newOwners: readonly Hex[], newThreshold = 1n) =>
  () => {
    assertNewOwners({ newOwners, newThreshold }, guarded);
  };

describe('the new owners of a recovery, before a guardian signs', () => {
  it.each<[string, readonly Hex[], bigint, string]>([
    ['a guardian', [party('b'), party('2')], 1n, 'recovery.newOwners[1]: must not be a guardian of the account'],
    ['the account itself', [SAFE], 1n, 'recovery.newOwners[0]: must not be the account itself'],
    ['the same owner twice', [party('b'), party('B')], 1n, 'recovery.newOwners[1]: must not be in the list twice'],
    ['the zero address', [party('0')], 1n, 'recovery.newOwners[0]: must not be the zero address or 0x…01'],
    ['the sentinel', [SENTINEL], 1n, 'recovery.newOwners[0]: must not be the zero address or 0x…01'],
    ['nobody', [], 1n, 'recovery.newOwners: must be 1 to 20 addresses'],
    ['a threshold of none', [party('b')], 0n, 'recovery.newThreshold: must be at least 1'],
    ['a threshold of too many', [party('b')], 2n, 'recovery.newThreshold: must be at least 1'],
  ])('must not be %s', (_what, owners, threshold, message) => {
    expect(check(owners, threshold)).toThrow(message);
  });

  it('may be anyone else', () => {
    expect(check([party('b'), party('c')], 2n)).not.toThrow();
  });
});

describe('the bounds of new owners', () => {
  const many = (count: number): Hex[] =>
    Array.from({ length: count }, (_, at): Hex => `0x${(at + 16).toString(16).padStart(40, '0')}`);

  it('are 20 of them, and a threshold up to their number', () => {
    expect(check(many(20), 20n)).not.toThrow();
    expect(check(many(1), 1n)).not.toThrow();
    expect(check(many(21))).toThrow('recovery.newOwners: must be 1 to 20 addresses');
    expect(check(many(3), 4n)).toThrow('recovery.newThreshold: must be at least 1');
    expect(check(many(3), 0n)).toThrow('recovery.newThreshold: must be at least 1');
  });
});
