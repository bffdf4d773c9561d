import { type Hex } from '../../../../src/core/eth/bytes';
import { changesBetween } from '../../../../src/core/watch/changes';
import { type BegunRecovery, type WatchedState, WatchedStateStruct } from '../../../../src/core/watch/state';
import { changeWords } from '../../../../src/core/watch/words';
import { safeState } from '../../../support/watched-accounts';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [A, B, C, M] = ['a', 'b', 'c', 'd'].map(address) as [Hex, Hex, Hex, Hex];
const RECOVERY: BegunRecovery = {
  module: M,
  newOwners: [C],
  more: 0,
  newThreshold: '0x1',
  executeAfter: '0x6b49d200',
};

const kinds = (before: WatchedState, after: WatchedState) => changesBetween(before, after).map(({ kind }) => kind);
const texts = (before: WatchedState, after: WatchedState) =>
  changesBetween(before, after).map((change) => changeWords(change).text);

describe('changes of who controls an account', () => {
  it('are none if nothing has changed', () => {
    const state = safeState(A, { recoveries: [RECOVERY], modules: [M] });
    expect(kinds(state, structuredClone(state))).toEqual([]);
    expect(kinds({ kind: 'key', delegate: B }, { kind: 'key', delegate: B })).toEqual([]);
  });

  it('are each member of the state that is stored', () => {
    const before = safeState(A);
    const others: Partial<Record<keyof typeof before, unknown>> = {
      owners: [A, B],
      threshold: '0x2',
      modules: [M],
      guard: B,
      moduleGuard: B,
      handler: B,
      implementation: B,
      recoveries: [RECOVERY],
    };
    for (const member of Object.keys(before).filter((name) => name !== 'kind')) {
      const after = { ...before, [member]: others[member as keyof typeof before] } as WatchedState;
      expect(WatchedStateStruct.is(after)).toBe(true);
      expect([member, kinds(before, after).length > 0]).toEqual([member, true]);
    }
  });

  it('name an owner who was exchanged for another, though their number is the same', () => {
    expect(kinds(safeState(A), safeState(B))).toEqual(['implementation', 'owner-added', 'owner-removed']);
  });

  it('tell a recovery that was replaced by another one through the same module', () => {
    const before = safeState(A, { recoveries: [RECOVERY] });
    const after = safeState(A, { recoveries: [{ ...RECOVERY, newOwners: [B] }] });
    expect(kinds(before, after)).toEqual(['recovery']);
    expect(kinds(after, safeState(A))).toEqual(['recovery-ended']);
  });

  it('say what they mean, with each address in a row of its own', () => {
    expect(texts(safeState(A), safeState(A, { owners: [A, B, C], threshold: '0x2' }))).toEqual([
      'It has a new owner.',
      'It has a new owner.',
      '2 of 3 owners must sign now. Before, it was 1 of 1 owner.',
    ]);
    const [begun] = changesBetween(safeState(A), safeState(A, { recoveries: [{ ...RECOVERY, more: 1 }] }));
    expect(changeWords(begun!)).toEqual({
      title: 'A recovery has begun',
      text: 'Guardians are replacing its owners. From 2027-01-15 08:00:00 UTC on, anyone can finish this, and 1 of 2 owners must sign then. 1 new owner more is not listed. If you did not ask for it, cancel it before that, with the keys that own the account now.',
      rows: [
        { label: 'New owner', address: C },
        { label: 'Through', address: M },
      ],
    });
    expect(texts(safeState(A, { guard: B }), safeState(A, { guard: null }))).toEqual(['Its guard was removed.']);
    expect(texts({ kind: 'key', delegate: B }, { kind: 'key', delegate: null })).toEqual([
      'Its delegation was taken back.',
    ]);
    expect(texts({ kind: 'key', delegate: null }, safeState(A))).toEqual(['There is a contract at its address now.']);
  });
});
