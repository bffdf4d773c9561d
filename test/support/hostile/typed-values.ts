import { type HostileCase, refused } from './case';
import { ME } from './people';
import { changed, typed, withTypes } from './typed';

type Types = Readonly<Record<string, unknown>>;

const named = (value: unknown): string => {
  const written = JSON.stringify(value);
  return written.length <= 50 ? written : `${written.slice(0, 50)}… (${written.length})`;
};

const values = (type: string, list: readonly unknown[], rule: RegExp, types: Types = {}): HostileCase<unknown>[] =>
  list.map((value) =>
    refused(`${named(value)} for ${type}`, typed(type, value, types), 'typedData.message.value', rule),
  );

/** Types with long names, each with a member of the next, so that encodeType of the first contains all of them. */
const chainedTypes = (count: number, length: number): Types => {
  const name = (index: number): string => (index === 0 ? 'T0' : `T${index}${'x'.repeat(length)}`);
  return Object.fromEntries(
    Array.from({ length: count }, (_item, index) => [
      name(index),
      index === count - 1 ? [] : [{ name: 'next', type: name(index + 1) }],
    ]),
  );
};

let nestedValue: unknown = [];
for (let depth = 0; depth < 80; depth++) nestedValue = [nestedValue];
let nestedNode: unknown = { next: [] };
for (let depth = 0; depth < 80; depth++) nestedNode = { next: [nestedNode] };

const NO_NUMBER = [
  '',
  ' 1',
  '1 ',
  '+1',
  '0b101',
  '0o7',
  '1e3',
  '1.0',
  '0x',
  '0X1',
  '-0',
  '01',
  '1_000',
  '1n',
  'abc',
  '0xg',
  '\uff11',
  'Infinity',
  null,
  true,
  false,
  [],
  [1],
  {},
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e21,
  { type: 'BigNumber', hex: '0x01' },
];

const MANY = /at most 100000 values/u;
const INNER = { Inner: [{ name: 'a', type: 'uint8' }] };
const NODE = { Node: [{ name: 'next', type: 'Node' }] };

const BOUNDS: readonly HostileCase<unknown>[] = [
  refused('arrays 80 deep', typed(`uint8${'[]'.repeat(80)}`, nestedValue), 'typedData', /levels deep/u),
  refused(
    'structs 80 deep',
    typed('Node', nestedNode, { Node: [{ name: 'next', type: 'Node[]' }] }),
    'typedData',
    /levels deep/u,
  ),
  refused(
    '200,000 values',
    typed(
      'uint8[]',
      Array.from({ length: 200_000 }, () => 1),
    ),
    'typedData',
    MANY,
  ),
  refused(
    'a hundred lists of 2,000 values',
    typed(
      'uint8[][]',
      Array.from({ length: 100 }, () => Array.from({ length: 2000 }, () => 1)),
    ),
    'typedData',
    MANY,
  ),
  refused(
    '300 types',
    withTypes(Object.fromEntries(Array.from({ length: 300 }, (_item, index) => [`T${index}`, []]))),
    'typedData.types',
    /at most 256 types/u,
  ),
  refused(
    '2,000 members',
    withTypes({ Unused: Array.from({ length: 2000 }, (_item, index) => ({ name: `m${index}`, type: 'bool' })) }),
    'typedData.types',
    /at most 1024 members/u,
  ),
  refused(
    '250 types with long names that refer to each other',
    typed('T0', {}, chainedTypes(250, 200)),
    'typedData.types',
    /shorter or refer to fewer other types/u,
  ),
];

/** Values that do not match their type. */
export const HOSTILE_VALUES: readonly HostileCase<unknown>[] = [
  ...values('bool', ['false', 'true', 0, 1, '', '0x1', null, [], {}], /true or false/u),
  ...values('uint256', NO_NUMBER, /whole number/u),
  ...values('uint256', [-1, '-1', (1n << 256n).toString(), '9'.repeat(78)], /must fit uint256/u),
  ...values('uint256', [`0x1${'0'.repeat(64)}`, `0x${'f'.repeat(100_000)}`], /at most 64 hex digits/u),
  ...values('uint256', ['9'.repeat(80), '9'.repeat(100_000)], /at most 78 decimal digits/u),
  ...values('uint8', [256, '256', '0x100', -1, (1n << 64n).toString()], /must fit uint8/u),
  ...values('uint160', [(1n << 160n).toString()], /must fit uint160/u),
  ...values('int8', [128, -129, '0x80', '-129'], /must fit int8/u),
  ...values(
    'int256',
    [(1n << 255n).toString(), (-(1n << 255n) - 1n).toString(), `0x${'f'.repeat(64)}`],
    /must fit int256/u,
  ),
  ...values('int8', ['-0x1', '--1', '- 1'], /whole number/u),
  ...values(
    'address',
    [
      '',
      '0x',
      '0x0',
      'vitalik.eth',
      ME.slice(2),
      ME.slice(0, -2),
      `${ME}00`,
      `0x${'00'.repeat(12)}${ME.slice(2)}`,
      `${ME}\n`,
      5,
      '917551056842671309452305380979543736893630245704',
      null,
      true,
      [ME],
    ],
    /must be an address/u,
  ),
  ...values(
    'bytes',
    ['', 'hello', '0x123', '0xzz', '0X12', ' 0x12', 5, null, [1, 2], { type: 'Buffer', data: [1] }],
    /must be bytes/u,
  ),
  ...values('bytes4', ['0x', '0x123456', '0x1234567890', `0x${'5ec4e7'.repeat(10)}`], /exactly 4 bytes/u),
  ...values('bytes32', [`0x${'0'.repeat(63)}`, 'hello', 0, null], /must be bytes/u),
  ...values('string', [5, null, true, ['a'], {}], /must be a string/u),
  ...values('string', ['\ud800', 'a\udc00b', '\udc00\ud800'], /well-formed/u),
  ...values('uint8[]', [5, null, {}, '0x', '[1]', { length: 0 }, { 0: 1, length: 1 }], /must be an array/u),
  ...values('uint8[2]', [[1], [1, 2, 3], []], /exactly 2 items/u),
  ...values('Inner', [null, [], 'x', 5, [{ a: 1 }]], /must be an object with the members of Inner/u, INNER),
  refused('null in a list', typed('uint8[]', [1, null]), 'typedData.message.value[1]', /whole number/u),
  refused('a list in a list', typed('uint8[]', [[1]]), 'typedData.message.value[0]', /whole number/u),
  refused('a short list inside', typed('uint8[2][]', [[1, 2], [3]]), 'typedData.message.value[1]', /exactly 2 items/u),
  refused(
    'an invalid item deep inside',
    typed('Inner[2][]', [[{ a: 1 }, { a: 256 }]], INNER),
    'typedData.message.value[0][1].a',
    /must fit uint8/u,
  ),
  refused('a missing member inside', typed('Inner', {}, INNER), 'typedData.message.value.a', /is missing/u),
  refused(
    'null in a recursive struct',
    typed('Node', { next: null }, NODE),
    'typedData.message.value.next',
    /must be an object/u,
  ),
  refused(
    'the end of a recursive struct',
    typed('Node', { next: {} }, NODE),
    'typedData.message.value.next.next',
    /is missing/u,
  ),
  refused('a missing member', changed({ message: {} }), 'typedData.message.value', /is missing/u),
  refused('a member in another case', changed({ message: { Value: 1 } }), 'typedData.message.value', /is missing/u),
  ...['toString', 'constructor', 'hasOwnProperty'].map((name) =>
    refused(
      `${name}, which every object has`,
      withTypes({ Test: [{ name, type: 'string' }] }, { message: {} }),
      `typedData.message.${name}`,
      /is missing/u,
    ),
  ),
  ...BOUNDS,
];
