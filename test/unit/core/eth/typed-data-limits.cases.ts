import { TypedDataEncoder } from 'ethers';

import { toHex } from '../../../../src/core/eth/bytes';
import { type TypedData, typedDataDigest, type TypedDataTypes } from '../../../../src/core/eth/typed-data';

const value = { name: 'value', type: 'uint256' };

/** Typed data without a domain, whose primary type is `T`. */
const dataOf = (types: TypedDataTypes, message: TypedData['message']): TypedData => ({
  types: { EIP712Domain: [], ...types },
  primaryType: 'T',
  domain: {},
  message,
});
const digest = (types: TypedDataTypes, message: TypedData['message']) => () => typedDataDigest(dataOf(types, message));

/** Additional types beside `EIP712Domain` and `T`. */
const unused = (count: number): TypedDataTypes =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`U${index}`, []]));

const brackets = (depth: number): string => '[]'.repeat(depth);
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

/** Each limit, at the largest allowed value and the next one. */
describe('the limits of typed data', () => {
  it('are 256 types', () => {
    expect(digest({ T: [value], ...unused(254) }, { value: 1 })()).toHaveLength(32);
    expect(digest({ T: [value], ...unused(255) }, { value: 1 })).toThrow(/at most 256 types/u);
  });

  it('are 1024 members in total', () => {
    const members = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `m${index}`, type: 'bool' }));
    expect(digest({ T: [value], Unused: members(1023) }, { value: 1 })()).toHaveLength(32);
    expect(digest({ T: [value], Unused: members(1024) }, { value: 1 })).toThrow(/at most 1024 members/u);
  });

  it.each([
    ['a type name', (length: number) => ({ T: [value], ['U'.repeat(length)]: [] }), /more than 256 characters/u],
    [
      'a member name',
      (length: number) => ({ T: [value], Unused: [{ name: 'm'.repeat(length), type: 'bool' }] }),
      /Unused\[0\]\.name: must be at most 256 characters/u,
    ],
    [
      'a type of a member',
      // "bool" and brackets, of an even length.
      (length: number) => ({
        T: [value],
        Unused: [{ name: 'm', type: `bool${brackets(Math.ceil((length - 4) / 2))}` }],
      }),
      /Unused\[0\]\.type: must be at most 256 characters/u,
    ],
  ] as const)('are 256 characters of %s', (_what, typesOf, rule) => {
    expect(digest(typesOf(256), { value: 1 })()).toHaveLength(32);
    expect(digest(typesOf(257), { value: 1 })).toThrow(rule);
  });

  it('are 64 levels', () => {
    const listOf = (depth: number) => ({ T: [{ name: 'value', type: `uint8${brackets(depth)}` }] });
    // The message and its member are the first two.
    expect(digest(listOf(63), { value: nested(63) })()).toHaveLength(32);
    expect(digest(listOf(64), { value: nested(64) })).toThrow(/at most 64 levels deep/u);
  });

  it('are 64 hex digits and 78 decimal digits of a number', () => {
    const most = (1n << 256n) - 1n;
    const hashed = toHex(digest({ T: [value] }, { value: most.toString() })());
    expect(toHex(digest({ T: [value] }, { value: `0x${'f'.repeat(64)}` })())).toBe(hashed);
    expect(digest({ T: [value] }, { value: `0x0${'f'.repeat(64)}` })).toThrow(/at most 64 hex digits/u);
    expect(digest({ T: [value] }, { value: `1${'0'.repeat(78)}` })).toThrow(/must fit uint256/u);
    expect(digest({ T: [value] }, { value: `1${'0'.repeat(79)}` })).toThrow(/at most 78 decimal digits/u);
  });

  it('are 100,000 values', () => {
    const T = [{ name: 'value', type: 'bool[]' }];
    // The member itself is the first.
    expect(digest({ T }, { value: Array<boolean>(99_999).fill(true) })()).toHaveLength(32);
    expect(digest({ T }, { value: Array<boolean>(100_000).fill(true) })).toThrow(/at most 100000 values/u);
  });
});

describe('a text of typed data', () => {
  /** 64 is the longest that is written without the encoder; U+0080 is the first that takes two bytes. */
  it.each([
    '',
    'a'.repeat(63),
    'a'.repeat(64),
    'a'.repeat(65),
    '\u007f',
    '\u0080',
    'a\u0080',
    `${'a'.repeat(63)}\u0080`,
  ])('is hashed as ethers hashes %j', (text) => {
    const types = { T: [{ name: 'value', type: 'string' }] };
    expect(toHex(digest(types, { value: text })())).toBe(TypedDataEncoder.hash({}, types, { value: text }));
  });
});

describe('the type of a number or of bytes', () => {
  const of = (type: string, given: unknown) => digest({ T: [{ name: 'value', type }] }, { value: given });

  it.each(['uint8', 'uint256', 'int8', 'int256', 'bytes1', 'bytes32'])('can be %s', (type) => {
    expect(of(type, type.startsWith('bytes') ? `0x${'11'.repeat(Number(type.slice(5)))}` : 1)()).toHaveLength(32);
  });

  it.each(['uint0', 'uint7', 'uint12', 'uint264', 'int260', 'uint08', 'bytes0', 'bytes33'])('cannot be %s', (type) => {
    expect(of(type, 1)).toThrow(/types/u);
  });

  it.each([
    ['uint8', 0n, 255n],
    ['uint256', 0n, (1n << 256n) - 1n],
    ['int8', -128n, 127n],
    ['int16', -32_768n, 32_767n],
    ['int256', -(1n << 255n), (1n << 255n) - 1n],
  ])('bounds the numbers of %s, at %d and %d', (type, least, most) => {
    const types = { T: [{ name: 'value', type }] };
    for (const number of [least, most])
      expect(toHex(of(type, number.toString())())).toBe(TypedDataEncoder.hash({}, types, { value: number }));
    for (const number of [least - 1n, most + 1n])
      expect(of(type, number.toString())).toThrow(new RegExp(`must (?:fit ${type}|have at most)`, 'u'));
  });
});

describe('a message without members', () => {
  it('is refused if something in it would not be signed', () => {
    expect(digest({ T: [] }, {})()).toHaveLength(32);
    expect(digest({ T: [] }, { value: 1 })).toThrow(/otherwise none of the message would be signed/u);
  });

  it('is an object, which is named by its type only if that can be repeated', () => {
    const of = (name: string) => digest({ T: [{ name: 'inner', type: name }], [name]: [value] }, { inner: 5 });
    expect(of('Person')).toThrow(/must be an object with the members of Person/u);
    expect(of('P'.repeat(200))).toThrow(/must be an object with the members of its type/u);
  });
});

describe('a domain', () => {
  it('may name its contract and its salt as text only if it says so', () => {
    const domain =
      (...members: [string, string][]) =>
      () =>
        typedDataDigest({
          ...dataOf({ EIP712Domain: members.map(([name, type]) => ({ name, type })), T: [value] }, { value: 1 }),
          domain: Object.fromEntries(
            members.map(([name, type]) => [
              name,
              type === 'string' ? 'text' : `0x${'11'.repeat(type === 'address' ? 20 : 32)}`,
            ]),
          ),
        });
    expect(domain(['verifyingContract', 'address'], ['salt', 'bytes32'])()).toHaveLength(32);
    expect(domain(['verifyingContract', 'string'])()).toHaveLength(32);
    expect(domain(['verifyingContract', 'string'], ['salt', 'string'])()).toHaveLength(32);
    expect(domain(['verifyingContract', 'string'], ['salt', 'bytes32'])()).toHaveLength(32);
    expect(domain(['verifyingContract', 'address'], ['salt', 'string'])).toThrow(
      /EIP712Domain\[1\]\.type: must be bytes32/u,
    );
    expect(domain(['verifyingContract', 'bytes32'])).toThrow(/EIP712Domain\[0\]\.type: must be address/u);
    expect(domain(['verifyingContract', 'string'], ['chainId', 'string'])).toThrow(/must be uint256/u);
    expect(domain(['name', 'bytes32'])).toThrow(/must be string/u);
  });
});

describe('a struct in a message', () => {
  const of = (inner: unknown) => digest({ T: [{ name: 'inner', type: 'Person' }], Person: [value] }, { inner });

  it.each([[null], [[]], [[{ value: 1 }]], ['text'], [5], [undefined]])('is not %j', (inner) => {
    expect(of(inner)).toThrow(/typedData\.message\.inner: must be an object with the members of Person/u);
  });

  it('is an object with all its members', () => {
    expect(of({ value: 1 })()).toHaveLength(32);
    expect(of({ value: 1, more: 2 })()).toHaveLength(32);
    expect(of({})).toThrow(/typedData\.message\.inner\.value: is missing/u);
  });
});

describe('the texts of all types that are hashed', () => {
  const member = (at: number, name: number, brackets: number) => ({
    name: `m${at}`.padEnd(name, '_'),
    type: `bool${'[]'.repeat(brackets)}`,
  });
  const long = [...Array.from({ length: 972 }, (_, at) => member(at, 256, 126)), member(972, 248, 60)];
  const hashed = (name: string) => digest({ T: [{ name, type: 'Long[]' }], Long: long }, { [name]: [] });

  it('are at most 1,000,000 characters', () => {
    const text = (name: string, members: readonly { name: string; type: string }[]) =>
      `${name}(${members.map((one) => `${one.type} ${one.name}`).join(',')})`;
    const lengthWith = (name: string): number =>
      ['EIP712Domain()', text('T', [{ name, type: 'Long[]' }]), text('Long', long), text('Long', long)].join('').length;
    const most = 'a'.repeat(1 + 1_000_000 - lengthWith('a'));
    expect(lengthWith(most)).toBe(1_000_000);
    expect(hashed(most)()).toHaveLength(32);
    expect(hashed(`${most}a`)).toThrow(/must be shorter or refer to fewer other types/u);
  });
});

describe('a value of a type that it does not fit', () => {
  const of = (type: string, given: unknown) => digest({ T: [{ name: 'value', type }] }, { value: given });
  const HASH = `0x${'11'.repeat(32)}`;
  const ADDRESS = `0x${'11'.repeat(20)}`;

  it.each<[string, readonly unknown[], readonly unknown[], RegExp]>([
    ['bool', [true, false], [0, 1, 'true', null], /must be true or false/u],
    [
      'address',
      [ADDRESS],
      [`${ADDRESS}1`, ADDRESS.slice(0, -1), ADDRESS.slice(2), '', 5, [ADDRESS], null],
      /must be an address: 0x and 40 hex digits/u,
    ],
    ['string', ['', 'text', '😀'], [5, null, ['text']], /must be a string/u],
    ['string', [], ['\ud83d', 'a\ude00'], /must be well-formed Unicode/u],
    ['bytes', ['0x', '0x12'], ['0x1', '12', '', 5, ['0x12'], null], /must be bytes/u],
    ['bytes32', [HASH], ['0x1', '', 5, [HASH]], /must be bytes/u],
    ['bytes32', [], [`${HASH}00`, '0x', '0x12'], /must be exactly 32 bytes/u],
    ['bytes1', ['0x12'], ['0x', '0x1234'], /must be exactly 1 byte$/u],
    [
      'uint256',
      [0, 1, 2 ** 53 - 1, '0', '10', '0x0', '0x00', '0xAf'],
      [1.5, 2 ** 53, -1, '-1', '01', '0x', 'abc', '1e3', '', ' 1', '-0x1', null, true, [1], 1n],
      /must (?:be a whole number|fit uint256)/u,
    ],
    ['int256', [-1, '-1', '-10', 0], ['-0', '-01', '--1', '-0x1', '-'], /must be a whole number/u],
    ['uint8[2]', [[1, 2]], [[1], [1, 2, 3], []], /must have exactly 2 items/u],
    ['uint8[]', [[], [1]], [{}, 'text', { length: 0 }, null], /must be an array/u],
  ])('is refused as %s', (type, fitting, wrong, rule) => {
    for (const given of fitting) expect(of(type, given)()).toHaveLength(32);
    for (const given of wrong) expect(of(type, given)).toThrow(rule);
  });
});

describe('a value of each type', () => {
  it.each<[string, unknown]>([
    ['bool', true],
    ['bool', false],
    ['bool[]', [true, false, true]],
    ['address', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'],
    ['bytes', '0x'],
    ['bytes', '0x1234Ab'],
    ['bytes4', '0x1234abcd'],
    ['bytes32', `0x${'ab'.repeat(32)}`],
    [
      'uint8[2][]',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['string[]', ['', 'same', 'same', 'ä']],
    ['int64', -5],
    ['uint256', '0x1234567890abcdef1234'],
  ])('is hashed as ethers hashes it: %s %j', (type, given) => {
    const types = {
      T: [
        { name: 'first', type: 'uint8' },
        { name: 'value', type },
        { name: 'last', type: 'bool' },
      ],
    };
    const message = { first: 255, value: given, last: true };
    expect(toHex(digest(types, message)())).toBe(TypedDataEncoder.hash({}, types, message));
  });
});
