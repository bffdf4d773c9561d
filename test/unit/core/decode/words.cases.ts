import { glanced } from '../../../../src/core/decode/words/glance';
import {
  cancelSentence,
  guardiansSentence,
  type GuardianFacts,
  type ListChange,
  type ListState,
  ownersSentence,
} from '../../../../src/core/decode/words/own-changes';
import { dayWords, durationWords, isNever, periodWords, utcTime } from '../../../../src/core/decode/words/time';
import { plainNumber } from '../../../../src/core/decode/words/units';
import { parametersOf } from '../../../../src/core/decode/metadata/signature';
import { type Hex } from '../../../../src/core/eth/bytes';
import { NOW } from '../../../support/explaining';

const DAY = 86_400n;

describe('a length of time in words', () => {
  it.each([
    [1n, 'every second', '1 second'],
    [59n, 'every 59 seconds', '59 seconds'],
    [60n, 'every minute', '1 minute'],
    [61n, 'every 61 seconds', '61 seconds'],
    [5_400n, 'every 90 minutes', '90 minutes'],
    [3_600n, 'every hour', '1 hour'],
    [7_200n, 'every 2 hours', '2 hours'],
    [DAY, 'every day', '1 day'],
    [DAY + 1n, 'every 86401 seconds', '86401 seconds'],
    [7n * DAY, 'every week', '7 days'],
    [8n * DAY, 'every 8 days', '8 days'],
    [14n * DAY, 'every 2 weeks', '14 days'],
  ])('%d seconds', (seconds, period, duration) => {
    expect([periodWords(seconds), durationWords(seconds)]).toEqual([period, duration]);
  });
});

describe('a time', () => {
  it('counts as never from ten years on', () => {
    expect(isNever(NOW + 3_653n * DAY, NOW)).toBe(false);
    expect(isNever(NOW + 3_653n * DAY + 1n, NOW)).toBe(true);
  });

  it('is written up to the last year of four digits', () => {
    const last = 253_402_300_799n;
    expect([utcTime(last), utcTime(last + 1n)]).toEqual(['9999-12-31 23:59:59 UTC', 'never']);
    expect([dayWords(last), dayWords(last + 1n)]).toEqual(['31 Dec 9999', 'a day that never comes']);
    expect(dayWords(NOW)).toBe('1 Jan 2026');
  });
});

describe('a number without a unit', () => {
  it('is written in full up to 34 digits', () => {
    expect(plainNumber(10n ** 34n - 1n)).toBe('9'.repeat(34));
    expect(plainNumber(10n ** 34n)).toBe('1000…0000 (35 digits)');
  });
});

describe('a name at a glance', () => {
  it.each([
    ['АВС', 'ABC'],
    ['ꓳꓴ', 'OU'],
    ['U₮', 'UT'],
    ['u.s-d c', 'USDC'],
    ['\\u{405}', 'S'],
    ['日本', ''],
    ['é', 'E'],
  ])('%s reads as %s', (name, read) => {
    expect(glanced(name)).toBe(read);
  });
});

describe('the parameters of a function signature', () => {
  // Only the last two hundred signatures are remembered.
  beforeEach(() => {
    for (let at = 0; at < 200; at++) parametersOf(`f${at}(bool)`);
  });

  const typesOf = (signature: string) => parametersOf(signature)?.map(({ type }) => type);

  it('are those between its brackets', () => {
    expect(typesOf('swap(address,(uint256,bytes)[])')).toEqual(['address', 'tuple[]']);
    expect(typesOf('deposit()')).toEqual([]);
    expect(typesOf('swap(address')).toBeUndefined();
    expect(typesOf('swap(nothing)')).toBeUndefined();
    // The second time, from what was found before.
    expect(typesOf('swap(address,(uint256,bytes)[])')).toEqual(['address', 'tuple[]']);
    expect(typesOf('deposit()')).toEqual([]);
    expect(typesOf('swap(nothing)')).toBeUndefined();
  });

  it('are read up to 2,000 characters', () => {
    const named = (length: number): string => `${'f'.repeat(length - '(bool)'.length)}(bool)`;
    expect(typesOf(named(2_000))).toEqual(['bool']);
    expect(typesOf(named(2_001))).toBeUndefined();
  });
});

const [A, B, C, D, E] = ['a', 'b', 'c', 'd', 'e'].map((digit): Hex => `0x${digit.repeat(40)}`) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
];
const name = (at: Hex): string => at.slice(-1).toUpperCase();
const changed = (added: readonly Hex[], removed: readonly Hex[] = [], threshold?: bigint): ListChange => ({
  ...{ added, removed, threshold },
});
const of = (count: number, threshold: bigint): ListState => ({ count, threshold });

describe('a change of owners in one sentence', () => {
  it.each<[ListChange, ListState | undefined, string]>([
    [changed([A]), of(1, 1n), 'Add A as owner: either can sign alone'],
    [changed([A]), undefined, 'Add A as owner'],
    [changed([A], [], 1n), undefined, 'Add A as owner: any owner can sign alone'],
    [changed([A], [], 2n), undefined, 'Add A as owner: 2 owners must sign'],
    [changed([A, B]), of(1, 1n), 'Add A and B as owners: any of 3 owners can sign alone'],
    [changed([A, B, C]), of(1, 1n), 'Add A, B and C as owners: any of 4 owners can sign alone'],
    [changed([A, B, C, D], [], 2n), of(1, 1n), 'Add A, B, C and 1 more as owners: 2 of 5 owners must sign'],
    [changed([A, B, C, D, E], [], 2n), of(1, 1n), 'Add A, B, C and 2 more as owners: 2 of 6 owners must sign'],
    [changed([], [A], 1n), of(2, 2n), 'Remove A as owner: its one owner signs alone, not 2 as before'],
    [changed([], [A, B]), of(4, 2n), 'Remove A and B as owners: 2 of 2 owners must sign'],
    [changed([A], [B]), of(2, 2n), 'Replace owner B with A: 2 of 2 owners must sign'],
    [changed([A], [B, C]), of(3, 2n), 'Remove B and C as owners, add A as owner: 2 of 2 owners must sign'],
    [changed([A, B], [C]), of(1, 1n), 'Remove C as owner, add A and B as owners: either can sign alone'],
    [changed([], [], 2n), of(3, 1n), 'From now on 2 of 3 owners must sign'],
    [changed([], [], 2n), of(3, 2n), 'From now on 2 of 3 owners must sign'],
    [changed([], [], 2n), of(3, 3n), 'From now on 2 of 3 owners must sign, not 3 as before'],
    [changed([], [], 1n), undefined, 'From now on any owner can sign alone'],
  ])('%#', (change, before, sentence) => {
    expect(ownersSentence(change, before, name)).toBe(sentence);
  });
});

describe('a change of guardians in one sentence', () => {
  const facts = (more: Partial<GuardianFacts> = {}): GuardianFacts => ({ period: 3n * DAY, owners: 1, ...more });

  it.each<[ListChange, ListState | undefined, GuardianFacts, string]>([
    [changed([A], [], 1n), of(0, 0n), facts(), 'Set 1 guardian: that one alone can replace the owner after 3 days'],
    [
      changed([A, B, C], [], 2n),
      of(0, 0n),
      facts({ owners: 2 }),
      'Set 3 guardians: any 2 can replace the owners after 3 days',
    ],
    [
      changed([A, B], [], 2n),
      of(0, 0n),
      facts({ owners: undefined }),
      'Set 2 guardians: all 2 together can replace the owners after 3 days',
    ],
    [changed([A, B], [], 1n), of(0, 0n), facts(), 'Set 2 guardians: any one can replace the owner after 3 days'],
    [
      changed([A], [], 2n),
      of(2, 2n),
      facts(),
      'Add 1 guardian (3 guardians in all): any 2 can replace the owner after 3 days',
    ],
    [
      changed([A]),
      of(2, 2n),
      facts({ turns: 'on' }),
      'Add 1 guardian (3 guardians in all): any 2 can replace the owner after 3 days',
    ],
    [changed([A]), undefined, facts(), 'Add 1 guardian: those it has can replace the owner after 3 days'],
    [changed([A], [], 2n), undefined, facts(), 'Add 1 guardian: any 2 can replace the owner after 3 days'],
    [
      changed([], [A], 1n),
      of(2, 2n),
      facts(),
      'Remove guardian A (1 guardian in all): that one alone can replace the owner after 3 days, not 2 as before',
    ],
    [
      changed([C], [A, B], 1n),
      of(3, 1n),
      facts(),
      'Remove 2 guardians, add 1 guardian (2 guardians in all): any one can replace the owner after 3 days',
    ],
    [changed([], [A], 0n), of(1, 1n), facts(), 'Remove guardian A'],
    [changed([], []), of(2, 2n), facts({ turns: 'off' }), 'Turn off recovery, but keep its guardians'],
    [changed([], []), of(0, 0n), facts({ turns: 'off' }), 'Turn off recovery'],
    [changed([], []), undefined, facts({ turns: 'off' }), 'Turn off recovery, but keep its guardians'],
    [changed([], [A], 1n), of(2, 1n), facts({ turns: 'off' }), 'Turn off recovery, remove guardian A'],
    [
      changed([A], [], 1n),
      of(2, 2n),
      facts({ turns: 'off' }),
      'Turn off recovery, add 1 guardian (3 guardians in all): any one can replace the owner after 3 days, not 2 as before',
    ],
    [
      changed([], []),
      of(2, 1n),
      facts({ turns: 'on' }),
      'Turn on recovery (2 guardians in all): any one can replace the owner after 3 days',
    ],
    [changed([], [], 2n), of(3, 1n), facts(), 'From now on any 2 can replace the owner after 3 days'],
    [changed([], [], 2n), of(3, 3n), facts(), 'From now on any 2 can replace the owner after 3 days, not 3 as before'],
  ])('%#', (change, before, more, sentence) => {
    expect(guardiansSentence(change, before, more, name)).toBe(sentence);
  });

  it('that cancels a recovery says who would get the account, and when', () => {
    const pending = (executeAfter: bigint) => ({ newOwners: [A, B], executeAfter });
    expect(cancelSentence(undefined, NOW, name)).toBe('Cancel the recovery of the account');
    expect(cancelSentence(pending(NOW + 1n), NOW, name)).toBe(
      'Cancel the recovery that would give the account to A and B on 1 Jan 2026',
    );
    expect(cancelSentence(pending(NOW), NOW, name)).toBe(
      'Cancel the recovery that would give the account to A and B now',
    );
  });
});
