import { type Hex } from '../../../../src/core/eth/bytes';
import { droppedOf, type Kept, keptMessage, withKept } from '../../../../src/core/ledger/signed/kept';
import { typedData } from '../../../support/explaining';
import { ACCOUNT, at, kept, NOW, word } from '../../../support/kept-signatures';

const TOKEN: Hex = `0x${'c3'.repeat(20)}`;
const DAY = 86_400;
const now = Number(NOW);
/** In characters of JSON: all signatures of a list, and the data of one. */
const [MAX_LIST, MAX_DATA] = [234_000, 16_000];

let last = 0;
/** A signature that nothing is known against. */
const signature = (more: Partial<Kept> = {}): Kept => ({
  ...{ account: ACCOUNT, origin: 'https://dapp.example', at: 1, hash: word(BigInt(++last)), title: 'Permit' },
  ...more,
});

/** What a full list drops when one more is signed, in whatever order it is. */
function droppedFrom(list: readonly Kept[]): readonly (Kept | undefined)[] {
  const orders = [list, [...list].reverse(), [...list.slice(77), ...list.slice(0, 77)]];
  return orders.map((order) => {
    const left = new Set(withKept(order, signature({ at: 1_000 }), NOW));
    return order.find((one) => !left.has(one));
  });
}

describe('a full list of signatures', () => {
  const SPAM = 'https://spam.example';
  const spam = (count: number, more: Partial<Kept> = {}): Kept[] =>
    Array.from({ length: count }, (_, n) => signature({ origin: SPAM, at: 100 + n, ...more }));

  it('never drops a dangerous one for a site that asks for many, but the oldest of that site', () => {
    const old = signature({ origin: SPAM, at: 50 });
    const rest = [signature({ at: 2 }), signature({ at: 3, isDangerous: true, origin: SPAM }), ...spam(197)];
    expect(droppedFrom([...rest, old])).toEqual([old, old, old]);
  });

  it('drops a dangerous one of a site that has more than half before a harmless one of another', () => {
    const harmless = signature({ at: 900 });
    const oldest = signature({ origin: SPAM, at: 99, isDangerous: true });
    const list = [harmless, ...spam(100, { isDangerous: true }), oldest];
    const others = Array.from({ length: 98 }, () => signature({ at: 1, isDangerous: true }));
    expect(droppedFrom([...list, ...others])).toEqual([oldest, oldest, oldest]);
    // It has half.
    const more = [...others, signature({ at: 1, isDangerous: true })];
    expect(droppedFrom([harmless, ...spam(100, { isDangerous: true }), ...more])).toEqual([
      harmless,
      harmless,
      harmless,
    ]);
  });

  it('drops one that expired more than a day ago before all others, though it was dangerous', () => {
    const expired = signature({ at: 900, isDangerous: true, until: now - DAY - 1 });
    expect(droppedFrom([expired, ...spam(199)])).toEqual([expired, expired, expired]);
  });

  it('does not trust the clock by less than a day: what seems to have expired since may still count', () => {
    const recent = signature({ at: 900, isDangerous: true, until: now - DAY });
    const oldest = signature({ origin: SPAM, at: 99 });
    expect(droppedFrom([recent, oldest, ...spam(198)])).toEqual([oldest, oldest, oldest]);
  });

  it.each([
    ['has no end', undefined, 1],
    ['ends now', now, 1],
    ['has just ended', now - 1, 0],
  ])('says that it dropped one that still counted only if it did: one that %s', (_what, until, count) => {
    const list = spam(200, until === undefined ? {} : { until });
    expect(droppedOf(withKept(list, signature(), NOW))).toBe(count);
    // What is signed again still says what was dropped for it before.
    const again = list.map((one, index) => (index === 0 ? { ...one, dropped: 3 } : one));
    expect(droppedOf(withKept(again.slice(0, 100), again[0]!, NOW))).toBe(3);
  });

  it('is full when it is too long to store, though it has few entries', () => {
    const title = (list: readonly Kept[], length: number): Kept[] =>
      list.map((one, index) => (index === 0 ? { ...one, title: one.title + 'x'.repeat(length) } : one));
    const list = Array.from({ length: 3 }, (_, n) => signature({ at: n + 1 }));
    const missing = MAX_LIST - JSON.stringify(list).length;
    expect(withKept(title(list, missing), signature(), NOW)).toHaveLength(4);
    expect(withKept(title(list, missing + 1), signature(), NOW)).toHaveLength(3);
  });
});

describe('the data of a signature', () => {
  it('is kept up to its longest length, and the rest of the facts beyond it', () => {
    const mail = (length: number) =>
      keptMessage(
        { ...signature(), isDangerous: false, until: undefined },
        typedData('Mail(string contents)', at(TOKEN), { contents: 'x'.repeat(length) }),
      );
    const most = MAX_DATA - JSON.stringify(mail(0).data).length;
    expect(JSON.stringify(mail(most).data)).toHaveLength(MAX_DATA);
    expect(mail(most + 1)).not.toHaveProperty('data');
    expect(mail(most + 1).title).toBe('Permit');
  });

  it('is kept of a type that contains itself', () => {
    const data = typedData('Folder(string name,Folder[] folders)', at(TOKEN), {
      name: 'Outer',
      folders: [{ name: 'Inner', folders: [] }],
    });
    const { data: found } = keptMessage({ ...signature(), isDangerous: false, until: undefined }, data);
    expect(found).toEqual(data);
  });

  it.each([
    [0n, undefined],
    [1n, 1],
    [8_640_000_000_000n, 8_640_000_000_000],
    [8_640_000_000_001n, undefined],
  ])('has an end only if a calendar has that time: %s', (until, said) => {
    const data = typedData('Mail(string contents)', at(TOKEN), { contents: '' });
    expect(keptMessage({ ...signature(), isDangerous: false, until }, data).until).toBe(said);
  });
});

it('a signature is marked as dangerous if its confirmation warned, and only then', () => {
  const permit = (value: string) =>
    kept(
      typedData('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)', at(TOKEN), {
        ...{ owner: ACCOUNT, spender: TOKEN.replaceAll('c3', 'b2'), value, nonce: '5', deadline: `${NOW + 1_000n}` },
      }),
    );
  expect(permit(`${2n ** 256n - 1n}`)).toHaveProperty('isDangerous', true);
  expect(permit('1')).not.toHaveProperty('isDangerous');
});
