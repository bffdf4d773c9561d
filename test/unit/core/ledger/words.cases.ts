import { maxUint256 } from 'viem';

import { type Permission } from '../../../../src/core/ledger/permissions';
import { endOf, permissionTitle, takeableWords } from '../../../../src/core/ledger/words';
import { BOB, USDC } from '../../../support/explaining';

const permission = (fields: Partial<Permission>): Permission => ({
  ...{ kind: 'amount', token: USDC, spender: BOB, since: { block: 1n }, warnings: [], ...fields },
});
const KNOWN = { symbol: 'USDC', decimals: 6 };

describe('a permission', () => {
  it.each<[string, Partial<Permission>, typeof KNOWN | undefined]>([
    ['5.5 USDC', { amount: 5_500_000n }, KNOWN],
    ['5500000 units of 0xA0b8…eB48', { amount: 5_500_000n }, undefined],
    ['All your USDC', { amount: maxUint256 }, KNOWN],
    ['All your tokens of 0xA0b8…eB48', { amount: maxUint256 }, undefined],
    ['NFT #7 of 0xA0b8…eB48', { kind: 'nft', id: 7n }, undefined],
    ['3 of item #7 of 0xA0b8…eB48', { kind: 'item', id: 7n, amount: 3n }, undefined],
    ['All of item #7 of 0xA0b8…eB48', { kind: 'item', id: 7n, amount: maxUint256 }, undefined],
    ['Everything in 0xA0b8…eB48', { kind: 'collection' }, undefined],
    ['Everything in 0xA0b8…eB48', { kind: 'items' }, undefined],
    ['All your tokens of 0xA0b8…eB48', { kind: 'operator' }, KNOWN],
    ['Loans that you owe, as 0xA0b8…eB48', { kind: 'credit', amount: maxUint256 }, undefined],
    ['Loans of 4 units that you owe, as 0xA0b8…eB48', { kind: 'credit', amount: 4n }, undefined],
  ])('is called "%s"', (title, fields, known) => {
    expect(permissionTitle(permission(fields), known)).toBe(title);
  });

  it('says what could be taken today, if that is known', () => {
    const words = (takeable: bigint | undefined, known?: typeof KNOWN) =>
      takeableWords(permission(takeable === undefined ? {} : { takeable }), known);
    expect(words(undefined, KNOWN)).toBeUndefined();
    expect(words(0n)).toBe('Today there is nothing to take.');
    expect(words(1n)).toBe('There is something to take today.');
    expect(words(1_500_000n, KNOWN)).toBe('1.5 USDC could be taken today.');
  });

  it('ends at its time, unless that is so late that it never does', () => {
    const year2100 = BigInt(Date.UTC(2100, 0, 1)) / 1_000n;
    expect(endOf({})).toBeUndefined();
    expect(endOf({ expires: 0n })).toBe(0n);
    expect(endOf({ expires: year2100 - 1n })).toBe(year2100 - 1n);
    expect(endOf({ expires: year2100 })).toBeUndefined();
    expect(endOf({ expires: (1n << 48n) - 1n })).toBeUndefined();
  });
});
