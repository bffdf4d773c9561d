import { type Hex } from '../../../../src/core/eth/bytes';
import { isFoundBy, ownerOf, topicsOf } from '../../../../src/core/ledger/filters';
import { type PlacedLog } from '../../../../src/core/ledger/placed-log';
import { APPROVAL, TRANSFER_SINGLE, TRANSFER_TOPIC } from '../../../../src/core/simulation/asset-logs';

const A: Hex = `0x${'a1'.repeat(20)}`;
const B: Hex = `0x${'b2'.repeat(20)}`;
const C: Hex = `0x${'c3'.repeat(20)}`;
const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const DIRTY: Hex = `0x${'1'.repeat(64)}`;
const log = (...topics: Hex[]): PlacedLog => ({
  ...{ address: C, data: '0x', topics, blockNumber: 1n, logIndex: 0, transactionHash: DIRTY },
});

describe('the owner of a log', () => {
  it.each<[string, PlacedLog, Hex, number]>([
    ['the sender of a transfer', log(TRANSFER_TOPIC, word(A), word(B)), A, 1],
    ['its recipient, if the sender is no address', log(TRANSFER_TOPIC, DIRTY, word(B)), B, 2],
    ['who gives a permission', log(APPROVAL, word(A), word(B)), A, 1],
    ['the sender of an item', log(TRANSFER_SINGLE, word(C), word(A), word(B)), A, 2],
    ['the recipient of an item', log(TRANSFER_SINGLE, word(C), DIRTY, word(B)), B, 3],
    ['of an event in capitals', log(TRANSFER_TOPIC.toUpperCase().replace('0X', '0x') as Hex, word(A), word(B)), A, 1],
  ])('is %s, and a search for it finds the log', (_who, one, account, position) => {
    const owner = ownerOf(one);
    expect(owner).toEqual({ account, position });
    expect(isFoundBy(topicsOf(account, owner!.position), one)).toBe(true);
    expect(isFoundBy(topicsOf(C, owner!.position), one)).toBe(false);
  });

  it.each([
    ['without topics', log()],
    ['of another event', log(DIRTY, word(A), word(B))],
    ['with an event alone', log(TRANSFER_TOPIC)],
    ['without addresses', log(TRANSFER_TOPIC, DIRTY, DIRTY)],
  ])('is nobody in a log %s', (_which, one) => {
    expect(ownerOf(one)).toBeUndefined();
    for (const position of [1, 2, 3] as const) expect(isFoundBy(topicsOf(A, position), one)).toBe(false);
  });

  it('must be where the search looks, behind topics that may be anything', () => {
    const item = log(TRANSFER_SINGLE, DIRTY, word(A), word(B));
    expect([1, 2, 3].map((position) => isFoundBy(topicsOf(A, position as 1), item))).toEqual([false, true, false]);
    expect(isFoundBy(topicsOf(B, 3), item)).toBe(true);
    expect(isFoundBy([null, null], log(TRANSFER_SINGLE))).toBe(false);
  });
});
