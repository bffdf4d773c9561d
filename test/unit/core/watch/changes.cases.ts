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

  it('tell other signers if their number changes, or how many of them must sign', () => {
    const signers = (owners: Hex[], threshold: Hex) => safeState(A, { owners, threshold });
    expect(kinds(signers([A, B], '0x1'), signers([A, B], '0x2'))).toEqual(['signers']);
    expect(kinds(signers([A], '0x1'), signers([A, B], '0x1'))).toEqual(['owner-added', 'signers']);
    expect(kinds(signers([A, B], '0x1'), signers([A], '0x1'))).toEqual(['owner-removed', 'signers']);
    expect(kinds(signers([A, B], '0x1'), signers([B, A], '0x1'))).toEqual([]);
  });

  it('name each module and each ended recovery that is not there any more, and no other', () => {
    const other = { ...RECOVERY, module: B };
    const before = safeState(A, { modules: [M, B], recoveries: [RECOVERY, other] });
    const after = safeState(A, { modules: [M, C], recoveries: [RECOVERY] });
    expect(changesBetween(before, after)).toEqual([
      { kind: 'module-added', address: C },
      { kind: 'module-removed', address: B },
      { kind: 'recovery-ended', address: B },
    ]);
    expect(changesBetween(after, before)).toEqual([
      { kind: 'recovery', recovery: other },
      { kind: 'module-added', address: B },
      { kind: 'module-removed', address: C },
    ]);
  });

  it('are that a contract is there, or is not any more, whatever it was before', () => {
    expect(kinds(safeState(A), { kind: 'key', delegate: null })).toEqual(['contract']);
    expect(kinds({ kind: 'key', delegate: B }, safeState(A))).toEqual(['contract']);
    expect(kinds({ kind: 'key', delegate: B }, { kind: 'key', delegate: C })).toEqual(['delegate']);
  });

  it('have words even where a part of them is not known', () => {
    expect(changeWords({ kind: 'recovery', address: M })).toMatchObject({
      text: 'A recovery has begun.',
      rows: [{ address: M }],
    });
    expect(changeWords({ kind: 'signers', before: { needed: '0x1', owners: 1 } }).text).toBe(
      'Other signatures are required.',
    );
    expect(changeWords({ kind: 'signers', after: { needed: '0x1', owners: 1 } }).text).toBe(
      'Other signatures are required.',
    );
    expect(changeWords({ kind: 'contract' }).rows).toEqual([]);
  });

  it.each([
    [0, ''],
    [1, ' 1 new owner more is not listed.'],
    [2, ' 2 new owners more are not listed.'],
  ])('say of a recovery that %s of its new owners are not listed', (more, rest) => {
    const { text, rows } = changeWords({ kind: 'recovery', recovery: { ...RECOVERY, more } });
    expect(text).toContain(`and 1 of ${1 + more} owner${more === 0 ? '' : 's'} must sign then.${rest} If you`);
    expect(rows).toHaveLength(2);
  });
});
