import { type Format, type Role } from '../../../../src/core/decode/descriptors/descriptor';
import { effectsOf, type Fact } from '../../../../src/core/decode/descriptors/facts';
import { type FormatContext, writeValue } from '../../../../src/core/decode/descriptors/format';
import { type Path, pick, type Roots } from '../../../../src/core/decode/descriptors/path';
import {
  addressOf,
  digitsOf,
  keyOf,
  numberOf,
  Text,
  Unfit,
  type Value,
} from '../../../../src/core/decode/descriptors/value';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { contractKey, NO_METADATA } from '../../../../src/core/decode/metadata/contract-metadata';
import { freshBudget } from '../../../../src/core/decode/rules/calls';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, ME, USDC, VIEW, written } from '../../../support/explaining';

const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const MOST = (1n << 256n) - 1n;
const lower = (at: Hex): Hex => at.toLowerCase() as Hex;
const bytes = (count: number): Hex => `0x${'11'.repeat(count)}`;

/** A field without its label and its path. */
type Form = Format & { readonly role?: Role };

/** What a function makes of a value; undefined if the description does not fit it. */
function fitting<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
}

describe('a value that a description uses', () => {
  it.each<[string, Value, number: bigint | undefined, digits: string | undefined, key: string]>([
    ['a number', 5n, 5n, '5'.padStart(64, '0'), '5'],
    ['no bytes', '0x', undefined, '', '0x'],
    ['one byte', '0x0A', 10n, '0a', '10'],
    ['32 bytes', bytes(32), BigInt(bytes(32)), '11'.repeat(32), BigInt(bytes(32)).toString()],
    ['33 bytes', bytes(33), undefined, '11'.repeat(33), bytes(33)],
    ['a flag', true, undefined, undefined, 'True'],
    ['no flag', false, undefined, undefined, 'False'],
    ['a text', new Text('5'), undefined, undefined, '5'],
  ])('%s', (_what, value, number, digits, key) => {
    expect([fitting(() => numberOf(value)), fitting(() => digitsOf(value)), keyOf(value)]).toEqual([
      ...[number, digits, key],
    ]);
  });

  it.each<[string, Value, Hex | undefined]>([
    ['20 bytes', lower(BOB), lower(BOB)],
    ['19 bytes', bytes(19), undefined],
    ['21 bytes', bytes(21), undefined],
    ['a number with something in front of it', (5n << 160n) | BigInt(BOB), lower(BOB)],
    ['a text', new Text(BOB), undefined],
  ])('is an address: %s', (_what, value, address) => {
    expect(fitting(() => addressOf(value))).toBe(address);
  });
});

describe('the values at a path', () => {
  const roots: Roots = {
    data: {
      list: [1n, 2n, 3n],
      structs: [{ amount: 4n }, { amount: 5n }],
      raw: '0x00112233',
      number: 0x11223344n,
    },
    container: { to: BOB },
  };

  it.each<[string, Path, at: number | undefined, readonly Value[] | undefined]>([
    ['a member', ['number'], undefined, [0x11223344n]],
    ['a member that there is not', ['more'], undefined, undefined],
    ['a member of what a list inherits', ['list', 'length'], undefined, undefined],
    ['a member of what every object inherits', ['toString'], undefined, undefined],
    ['a member of a number', ['number', 'more'], undefined, undefined],
    ['a member of bytes', ['raw', 'length'], undefined, undefined],
    ['of the call', ['@', 'to'], undefined, [BOB]],
    ['an item', ['list', 0], undefined, [1n]],
    ['the last item', ['list', -1], undefined, [3n]],
    ['an item that there is not', ['list', 3], undefined, undefined],
    ['an item of no list', ['number', 0], undefined, undefined],
    ['all items', ['list', []], undefined, [1n, 2n, 3n]],
    ['one of all items', ['list', []], 1, [2n]],
    ['all items of no list', ['number', []], undefined, undefined],
    ['a member of all items', ['structs', [], 'amount'], undefined, [4n, 5n]],
    ['a part of a list', ['list', [1, null]], undefined, [2n, 3n]],
    ['the beginning of a list', ['list', [null, 2]], undefined, [1n, 2n]],
    ['the end of a list', ['list', [-2, null]], undefined, [2n, 3n]],
    ['bytes', ['raw', [1, 3]], undefined, ['0x1122']],
    ['bytes from the start', ['raw', [null, 1]], undefined, ['0x00']],
    ['bytes to the end', ['raw', [2, null]], undefined, ['0x2233']],
    ['bytes at the end', ['raw', [-1, null]], undefined, ['0x33']],
    ['bytes up to one before the end', ['raw', [0, -1]], undefined, ['0x001122']],
    ['bytes from the first on', ['raw', [0, 0]], undefined, ['0x']],
    ['bytes beyond the end', ['raw', [3, 9]], undefined, ['0x33']],
    ['bytes before the start', ['raw', [-9, 1]], undefined, ['0x00']],
    ['bytes of a number', ['number', [-4, -2]], undefined, ['0x1122']],
    ['bytes of a struct', ['structs', 0, [0, 1]], undefined, undefined],
  ])('%s', (_what, path, at, values) => {
    expect(fitting(() => pick(roots, path, at))).toEqual(values);
  });
});

const scene = () => {
  const contractMetadata = {
    ...NO_METADATA,
    tokens: {},
    declared: { [contractKey(1n, ALICE)]: { symbol: 'COIN', decimals: 2 } },
    collections: { [contractKey(1n, ALICE)]: 'Apes' },
  };
  return { view: { ...VIEW, contractMetadata }, chainId: 1n, findings: new Findings(), budget: freshBudget() };
};

describe('a value in the format of a description', () => {
  const roots: Roots = {
    data: { token: lower(USDC), chain: 8453n, callee: lower(BOB), selector: '0x12345678', amount: 7n, id: 9n },
    container: {},
  };
  const shown = (field: Form, value: Value, to: Hex | undefined = lower(BOB)) => {
    const context: FormatContext = { roots, to, scene: scene() };
    const made = fitting(() => writeValue({ label: 'It', ...field }, value, 0, context));
    return made && [...made.lines.map(written), made.words];
  };
  const fact = (field: Form, value: Value): Fact | undefined =>
    writeValue({ label: 'It', ...field }, value, 0, { roots, to: lower(BOB), scene: scene() }).fact;

  it.each<[string, Form, Value, readonly string[] | undefined]>([
    ['a number', { as: 'raw' }, 5n, ['“It”: 5', '5']],
    ['bytes', { as: 'raw' }, '0x1234', ['“It”: 0x1234', '0x1234']],
    ['an address', { as: 'raw' }, lower(BOB), [`“It”: ${BOB}`, BOB]],
    ['a text', { as: 'raw' }, new Text('five'), ['“It”: five', 'five']],
    ['a list', { as: 'raw' }, [1n, 2n], ['“It”: a list of 2', 'a list of 2']],
    ['a struct', { as: 'raw' }, { a: 1n }, ['“It”: several values', 'several values']],
    ['coins', { as: 'amount' }, 10n ** 18n, ['“It”: 1 ETH', '1 ETH']],
    ['coins in words', { as: 'amount' }, new Text('1'), undefined],
    ['a time', { as: 'date' }, 1_767_225_600n, ['“It”: 2026-01-01 00:00:00 UTC', '2026-01-01 00:00:00 UTC']],
    [
      'no time',
      { as: 'date' },
      0n,
      [
        '“It”: 1970-01-01 00:00:00 UTC, that is 0, which may stand for no end',
        '1970-01-01 00:00:00 UTC, that is 0, which may stand for no end',
      ],
    ],
    [
      'a number that is hardly a time',
      { as: 'date' },
      60n,
      ['“It”: 1970-01-01 00:01:00 UTC, that is 60', '1970-01-01 00:01:00 UTC, that is 60'],
    ],
    ['a time before all times', { as: 'date' }, -1n, undefined],
    ['a block', { as: 'block' }, 5n, ['“It”: block 5', 'block 5']],
    [
      'a duration',
      { as: 'duration' },
      3_725n,
      [
        '“It”: 01:02:05 (hours, minutes, seconds), that is 3725 s',
        '01:02:05 (hours, minutes, seconds), that is 3725 s',
      ],
    ],
    [
      'a long duration',
      { as: 'duration' },
      360_000n,
      [
        '“It”: 100:00:00 (hours, minutes, seconds), that is 360000 s',
        '100:00:00 (hours, minutes, seconds), that is 360000 s',
      ],
    ],
    [
      'no duration',
      { as: 'duration' },
      0n,
      ['“It”: 00:00:00 (hours, minutes, seconds), that is 0 s', '00:00:00 (hours, minutes, seconds), that is 0 s'],
    ],
    ['a negative duration', { as: 'duration' }, -1n, undefined],
    ['a network', { as: 'chain' }, 1n, ['“It”: Ethereum', 'Ethereum']],
    ['words', { as: 'literal' }, new Text('five'), ['“It”: five', 'five']],
    ['words that are a number', { as: 'literal' }, 5n, undefined],
    ['a name of a number', { as: 'enum', names: { '5': 'five' } }, 5n, ['“It”: “five” (5)', 'five']],
    ['a number without a name', { as: 'enum', names: { '5': 'five' } }, 6n, ['“It”: 6', '6']],
    ['a percentage', { as: 'unit', base: '%', decimals: 2 }, 150n, ['“It”: 1.5%, that is 150', '1.5%']],
    ['a whole percentage', { as: 'unit', base: '%' }, 150n, ['“It”: 150%', '150%']],
    ['another unit', { as: 'unit', base: 'kg' }, 5n, ['“It”: 5 “kg”', '5kg']],
    ['no unit', { as: 'unit', base: ' ' }, 5n, ['“It”: 5', '5 ']],
    ['a known name', { as: 'address' }, lower(PERMIT2), [`“It”: ${PERMIT2}`, 'Name: Permit2', 'Permit2']],
    ['a stranger', { as: 'address' }, lower(BOB), [`“It”: ${BOB}`, BOB]],
    ['a token that is not described as one', { as: 'address' }, lower(ALICE), [`“It”: ${ALICE}`, ALICE]],
    ['a token', { as: 'address', isToken: true }, lower(USDC), [`“It”: ${USDC}`, 'Name: USDC', 'USDC']],
    [
      'a token that only its contract knows',
      { as: 'address', isToken: true },
      lower(ALICE),
      [`“It”: ${ALICE}`, 'Name: “COIN” (chosen by its contract)', ALICE],
    ],
    [
      'the sender',
      { as: 'address', isSender: true },
      `0x${'0'.repeat(40)}`,
      ['“It”: Sender (given as the zero address)', 'Sender (given as the zero address)'],
    ],
    [
      'the zero address',
      { as: 'address' },
      `0x${'0'.repeat(40)}`,
      [`“It”: 0x${'0'.repeat(40)}`, `0x${'0'.repeat(40)}`],
    ],
    ['somebody else than the sender', { as: 'address', isSender: true }, lower(BOB), [`“It”: ${BOB}`, BOB]],
    ['a token amount', { as: 'token', token: ['token'] }, 5_000_000n, ['“It”: 5 USDC', `Token: ${USDC}`, '5 USDC']],
    [
      'an amount of the coin',
      { as: 'token', token: ['token'], native: [lower(USDC)] },
      10n ** 18n,
      ['“It”: 1 ETH', '1 ETH'],
    ],
    [
      'an amount of what is not the coin',
      { as: 'token', token: ['token'], native: [lower(BOB)] },
      5_000_000n,
      ['“It”: 5 USDC', `Token: ${USDC}`, '5 USDC'],
    ],
    [
      'an amount at its threshold',
      { as: 'token', token: ['token'], threshold: '1000', message: 'All' },
      1_000n,
      ['“It”: “All” USDC, that is 0.001 USDC', `Token: ${USDC}`, 'All USDC'],
    ],
    [
      'an amount below its threshold',
      { as: 'token', token: ['token'], threshold: '1000', message: 'All' },
      999n,
      ['“It”: 0.000999 USDC', `Token: ${USDC}`, '0.000999 USDC'],
    ],
    [
      'an amount on another network',
      { as: 'token', token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'.toLowerCase() as Hex, chain: ['chain'] },
      5_000_000n,
      ['“It”: 5 USDC', 'Token: 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', '5 USDC'],
    ],
    [
      'an item of a collection with a name',
      { as: 'nft', collection: lower(ALICE) },
      7n,
      ['“It”: “Apes” #7', `Collection: ${ALICE}`, 'Apes #7'],
    ],
    [
      'an item of a collection without one',
      { as: 'nft', collection: lower(BOB) },
      7n,
      ['“It”: token ID 7', `Collection: ${BOB}`, ' #7'],
    ],
  ])('%s', (_what, field, value, said) => {
    expect(shown(field, value)).toEqual(said);
  });

  it('needs the contract that is called where nothing else is named', () => {
    const context = { roots, to: undefined, scene: scene() };
    expect(fitting(() => writeValue({ label: 'It', as: 'nft' }, 7n, 0, context))).toBeUndefined();
    expect(shown({ as: 'nft' }, 7n, lower(ALICE))).toContain(`Collection: ${ALICE}`);
  });

  it.each<[string, Form, Hex, object | undefined]>([
    ['with its selector', { as: 'call' }, '0x1234', { to: lower(BOB), data: '1234' }],
    [
      'without its selector, which is beside it',
      { as: 'call', callee: ['callee'], selector: ['selector'] },
      '0x9abc',
      { to: lower(BOB), data: '123456789abc' },
    ],
    [
      'with the selector that is also beside it',
      { as: 'call', callee: ['callee'], selector: ['selector'] },
      '0x123456789abc',
      { to: lower(BOB), data: '123456789abc' },
    ],
    ['with coins', { as: 'call', amount: ['amount'] }, '0x1234', { to: lower(BOB), data: '1234', value: 7n }],
    ['without data', { as: 'call' }, '0x', { to: lower(BOB), data: '' }],
  ])('a call %s', (_what, field, value, call) => {
    const made = writeValue({ label: 'It', ...field }, value, 0, { roots, to: lower(BOB), scene: scene() });
    expect(made.call).toEqual(call);
    expect(made.lines.map(written)).toEqual([
      value === '0x' ? '“It”: 0x (no call data)' : '“It”: a call, explained separately',
    ]);
  });

  it('asks for the name of a collection once', () => {
    const lookups = (collection: Hex) => {
      const context = { roots, to: lower(BOB), scene: scene() };
      writeValue({ label: 'It', as: 'nft', collection }, 7n, 0, context);
      return context.scene.findings.lookups;
    };
    expect(lookups(lower(ALICE))).toEqual([]);
    expect(lookups(lower(BOB))).toEqual([{ kind: 'collection', chainId: '1', address: lower(BOB) }]);
  });

  it('is a fact for whoever judges it', () => {
    expect(fact({ as: 'address', role: 'spender' }, lower(BOB))).toEqual({
      ...{ kind: 'address', label: '“It”', address: lower(BOB), role: 'spender' },
    });
    expect(fact({ as: 'raw' }, MOST)).toEqual({ kind: 'everything', label: '“It”', isTime: false });
    expect(fact({ as: 'raw' }, MOST - 1n)).toBeUndefined();
    for (const as of ['date', 'block', 'duration'] as const)
      expect(fact({ as }, MOST)).toEqual({ kind: 'everything', label: '“It”', isTime: true });
    expect(fact({ as: 'amount' }, MOST)).toMatchObject({ kind: 'amount', token: undefined, isMost: false });
    expect(fact({ as: 'token', token: ['token'], threshold: '5' }, 5n)).toMatchObject({ kind: 'amount', isMost: true });
  });
});

describe('what a description gives away', () => {
  const amount = (value: bigint, isMost = false): Fact => ({
    ...{ kind: 'amount', label: 'It', amount: value, token: USDC, isMost },
  });
  const person = (address: Hex, role?: 'recipient' | 'spender'): Fact => ({
    ...{ kind: 'address', label: 'Who', address, role },
  });
  const everything = (isTime: boolean): Fact => ({ kind: 'everything', label: 'It', isTime });
  const given = (facts: readonly Fact[], allows = false): string[] =>
    effectsOf(facts, allows, ME, scene()).map((effect) => {
      if (effect.kind === 'allow')
        return `allow ${effect.amount === MOST ? 'all' : effect.amount} to ${effect.spender}`;
      if (effect.kind === 'permission') return `${effect.what} to ${effect.to ?? 'somebody'}`;
      return effect.kind === 'named' && effect.isRecipient ? `to ${effect.address}` : effect.kind;
    });

  it.each<[string, readonly Fact[], beside: string[], allowing: string[]]>([
    ['an amount for nobody', [amount(5n)], [], []],
    ['all for nobody', [amount(5n, true)], [], ['unlimited to somebody']],
    ['an amount for a spender', [amount(5n), person(BOB, 'spender')], [], [`allow 5 to ${BOB}`]],
    ['all for a spender', [amount(5n, true), person(BOB, 'spender')], [`allow all to ${BOB}`], [`allow all to ${BOB}`]],
    ['more than there is', [amount(MOST), person(BOB, 'spender')], [`allow all to ${BOB}`], [`allow all to ${BOB}`]],
    ['an amount for the account itself', [amount(5n), person(ME, 'spender')], [], []],
    ['an amount for a recipient', [amount(5n), person(BOB, 'recipient')], [`to ${BOB}`], [`to ${BOB}`]],
    ['nothing for a recipient', [amount(0n), person(BOB, 'recipient')], [], []],
    ['nothing and something', [amount(0n), amount(1n), person(BOB, 'recipient')], [`to ${BOB}`], [`to ${BOB}`]],
    ['something that is no amount', [person(BOB, 'recipient')], [`to ${BOB}`], [`to ${BOB}`]],
    ['an amount for somebody', [amount(5n), person(BOB)], [], []],
    [
      'the largest number for a spender',
      [everything(false), person(BOB, 'spender')],
      [`unlimited to ${BOB}`],
      [`unlimited to ${BOB}`],
    ],
    [
      'the largest time for a spender',
      [everything(true), person(BOB, 'spender')],
      [`unlimited to ${BOB}`],
      [`unlimited to ${BOB}`],
    ],
    [
      'the largest time beside an amount',
      [everything(true), amount(5n), person(BOB, 'spender')],
      [],
      [`allow 5 to ${BOB}`],
    ],
    [
      'the largest number beside an amount',
      [everything(false), amount(5n), person(BOB, 'spender')],
      [`unlimited to ${BOB}`],
      [`unlimited to ${BOB}`, `allow 5 to ${BOB}`],
    ],
    ['the largest number for nobody', [everything(false)], [], []],
  ])('%s', (_what, facts, beside, allowing) => {
    expect(given(facts)).toEqual(beside);
    expect(given(facts, true)).toEqual(allowing);
  });
});
