import { type Candidate, mostRelevant } from '../../../../src/core/ledger/candidates';
import { type Hex } from '../../../../src/core/eth/bytes';

const address = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`;
const given = (token: number, spender: number, since: bigint): Candidate => ({
  ...{ kind: 'amount', token: address(token), spender: address(spender), since },
});

describe('the permissions that are looked at', () => {
  it('are the newest first; those of one block as they were logged', () => {
    const candidates = [given(1, 1, 5n), given(1, 2, 7n), given(2, 3, 7n), given(1, 4, 6n), given(2, 5, 7n)];
    const { chosen, leftOut } = mostRelevant(candidates);
    expect(chosen.map(({ since, spender }) => [since, Number(spender)])).toEqual([
      [7n, 2],
      [7n, 3],
      [7n, 5],
      [6n, 4],
      [5n, 1],
    ]);
    expect(leftOut).toBe(0);
  });

  it('are 100 of a token, so that one of many hides no other', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => given(1, at, BigInt(10 + at)));
    expect(mostRelevant(many(100)).leftOut).toBe(0);
    const { chosen, leftOut } = mostRelevant([given(2, 1, 1n), ...many(103)]);
    expect(leftOut).toBe(3);
    expect(chosen).toHaveLength(101);
    expect(chosen[0]?.since).toBe(112n);
    expect(chosen[99]?.since).toBe(13n);
    expect(chosen[100]?.token).toBe(address(2));
  });

  it('are 2,000 in all', () => {
    const many = Array.from({ length: 2_001 }, (_, at) => given(at, 1, BigInt(at)));
    const { chosen, leftOut } = mostRelevant(many);
    expect([chosen.length, leftOut, chosen.at(-1)?.since]).toEqual([2_000, 1, 1n]);
  });
});
