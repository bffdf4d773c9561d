import { InvalidParamsError } from '../../src/errors';
import { signWith } from '../helpers/local-signer';
import { type EoaMethod } from '../../src/methods';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ME = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const OTHER = '0x3535353535353535353535353535353535353535';

type Refusal = readonly [what: string, params: unknown, field: string, rule: RegExp];

async function refusalOf(method: EoaMethod, params: unknown): Promise<InvalidParamsError> {
  const outcome: unknown = await signWith(KEY, method, params).catch((error: unknown) => error);
  if (outcome instanceof InvalidParamsError) return outcome;
  throw new Error(`expected a refusal, got ${String(outcome)}`);
}

const refuses = (method: EoaMethod, cases: readonly Refusal[]) =>
  it.each(cases)(`${method} refuses %s`, async (_what, params, field, rule) => {
    const refusal = await refusalOf(method, params);
    expect(refusal.field).toBe(field);
    expect(refusal.rule).toMatch(rule);
  });

const without = (tx: object, name: string) => Object.fromEntries(Object.entries(tx).filter(([key]) => key !== name));

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
const domain = { name: 'Ether Mail', version: '1', chainId: 1, verifyingContract: OTHER };

/** Typed data with one member `value` of a type. */
const typed = (type: string, value: unknown, types: Record<string, unknown> = {}) => [
  ME,
  {
    types: { EIP712Domain: DOMAIN, Test: [{ name: 'value', type }], ...types },
    primaryType: 'Test',
    domain,
    message: { value },
  },
];
const base = typed('uint256', 1)[1] as { types: Record<string, unknown>; domain: Record<string, unknown> };
const withDomain = (members: unknown, values: unknown) => [
  ME,
  { ...base, types: { ...base.types, EIP712Domain: members }, domain: values },
];

const badValues = (
  type: string,
  values: readonly unknown[],
  rule: RegExp,
  types: Record<string, unknown> = {},
): Refusal[] =>
  values.map((value) => [
    `${JSON.stringify(value)} for ${type}`,
    typed(type, value, types),
    'typedData.message.value',
    rule,
  ]);

/** Types with names of a length, each with a member of the next: encodeType of the first names them all. */
function chainedTypes(count: number, length: number): Record<string, unknown> {
  const name = (index: number): string => (index === 0 ? 'T0' : `T${index}${'x'.repeat(length)}`);
  return Object.fromEntries(
    Array.from({ length: count }, (_item, index) => [
      name(index),
      index === count - 1 ? [] : [{ name: 'next', type: `${name(index + 1)}` }],
    ]),
  );
}

let deepValue: unknown = [];
for (let depth = 0; depth < 80; depth++) deepValue = [deepValue];

refuses('eth_signTypedData_v4', [
  ['no parameters', [], 'address', /is missing/u],
  ['swapped parameters', [base, ME], 'address', /must be an address/u],
  ['typed data as text', [ME, JSON.stringify(base)], 'typedData', /must be an object/u],
  ['null', [ME, null], 'typedData', /must be an object/u],
  ['no types', [ME, without(base, 'types')], 'typedData.types', /is missing/u],
  ['no domain', [ME, without(base, 'domain')], 'typedData.domain', /is missing/u],
  ['no message', [ME, without(base, 'message')], 'typedData.message', /is missing/u],
  ['no primaryType', [ME, without(base, 'primaryType')], 'typedData.primaryType', /is missing/u],
  ['another top-level field', [ME, { ...base, extra: 1 }], 'typedData.extra', /not a known field/u],
  ['a null message', [ME, { ...base, message: null }], 'typedData.message', /must be/u],
  ['a message that is a list', [ME, { ...base, message: [1] }], 'typedData.message', /must be/u],
  [
    'members that are not a list',
    [ME, { ...base, types: { ...base.types, Test: {} } }],
    'typedData.types.Test',
    /must be a list/u,
  ],
  [
    'a member that is null',
    [ME, { ...base, types: { ...base.types, Test: [null] } }],
    'typedData.types.Test[0]',
    /must be an object/u,
  ],
  [
    'a member without type',
    [ME, { ...base, types: { ...base.types, Test: [{ name: 'value' }] } }],
    'typedData.types.Test[0].type',
    /is missing/u,
  ],
  ['a primaryType that is not defined', [ME, { ...base, primaryType: 'Nothing' }], 'typedData.primaryType', /defined/u],
  [
    'a primaryType that every object inherits',
    [ME, { ...base, primaryType: 'toString' }],
    'typedData.primaryType',
    /defined/u,
  ],
  ['__proto__ as primaryType', [ME, { ...base, primaryType: '__proto__' }], 'typedData.primaryType', /defined/u],
  [
    'EIP712Domain as primaryType',
    [ME, { ...base, primaryType: 'EIP712Domain', message: {} }],
    'typedData.primaryType',
    /would not be signed/u,
  ],
  [
    'no EIP712Domain',
    [ME, { ...base, types: without(base.types, 'EIP712Domain') }],
    'typedData.types.EIP712Domain',
    /is missing/u,
  ],
  [
    'an unknown domain member',
    withDomain([{ name: 'foo', type: 'string' }], { foo: 'x' }),
    'typedData.types.EIP712Domain[0].name',
    /must be one of/u,
  ],
  [
    'a domain member of another type',
    withDomain([{ name: 'chainId', type: 'string' }], { chainId: '1' }),
    'typedData.types.EIP712Domain[0].type',
    /must be uint256/u,
  ],
  [
    'a domain member that is declared twice',
    withDomain([DOMAIN[0], DOMAIN[0]], { name: 'x' }),
    'typedData.types.EIP712Domain[1].name',
    /repeat/u,
  ],
  [
    'a declared domain member that is missing',
    withDomain(DOMAIN, without(domain, 'chainId')),
    'typedData.domain.chainId',
    /is missing/u,
  ],
  [
    'a chain id that is not declared',
    withDomain([DOMAIN[0]], { name: 'x', chainId: 1 }),
    'typedData.domain.chainId',
    /must be declared/u,
  ],
  [
    'a contract that is not declared',
    withDomain([DOMAIN[0]], { name: 'x', verifyingContract: OTHER }),
    'typedData.domain.verifyingContract',
    /must be declared/u,
  ],
  [
    'an unknown value in the domain',
    withDomain([DOMAIN[0]], { name: 'x', foo: 1 }),
    'typedData.domain',
    /must be one of/u,
  ],
  ['a null chain id', withDomain(DOMAIN, { ...domain, chainId: null }), 'typedData.domain.chainId', /whole number/u],
  [
    'a fractional chain id',
    withDomain(DOMAIN, { ...domain, chainId: 1.5 }),
    'typedData.domain.chainId',
    /whole number/u,
  ],
  [
    'a chain id that is text',
    withDomain(DOMAIN, { ...domain, chainId: 'NaN' }),
    'typedData.domain.chainId',
    /whole number/u,
  ],
  [
    'a contract that is a name',
    withDomain(DOMAIN, { ...domain, verifyingContract: 'cosmos' }),
    'typedData.domain.verifyingContract',
    /must be an address/u,
  ],
  ...[
    'uint',
    'int',
    'uint7',
    'uint0',
    'uint264',
    'uint08',
    'uint25689',
    'int9',
    'bytes0',
    'bytes33',
    'bytes01',
    'Uint256',
    'function',
    'fixed128x18',
    'byte',
    '',
    ' uint8',
    'uint8 ',
    'uint8[',
    'uint8[]]',
    'uint8[-1]',
    'uint8[0]',
    'uint8[01]',
    'uint8[1.5]',
    'Nothing',
    'toString',
    '__proto__',
    'x'.repeat(300),
  ].map(
    (type): Refusal => [`the type "${type.slice(0, 20)}"`, typed(type, 1), 'typedData.types.Test[0].type', /must be/u],
  ),
  ...['address', 'uint8', 'uint7', 'bytes', 'bytes32', 'string', 'bool', 'uint'].map(
    (name): Refusal => [
      `a struct named ${name}`,
      typed('bool', true, { [name]: [{ name: 'a', type: 'bool' }] }),
      `typedData.types.${name}`,
      /built-in/u,
    ],
  ),
  ...['', 'A B', 'A,B', 'A(B)', 'Ä', '1A', 'A[]', 'A\n'].map(
    (name): Refusal => [
      `a struct named ${JSON.stringify(name)}`,
      typed('bool', true, { [name]: [{ name: 'a', type: 'bool' }] }),
      'typedData.types',
      /identifier/u,
    ],
  ),
  ...['', 'to,uint256 amount', 'a b', 'a)', '1a', 'ä'].map(
    (name): Refusal => [
      `a member named ${JSON.stringify(name)}`,
      [ME, { ...base, types: { ...base.types, Test: [{ name, type: 'bool' }] }, message: { [name]: true } }],
      'typedData.types.Test[0].name',
      /identifier/u,
    ],
  ),
  [
    'a member that is declared twice',
    [
      ME,
      {
        ...base,
        types: {
          ...base.types,
          Test: [
            { name: 'value', type: 'uint256' },
            { name: 'value', type: 'bool' },
          ],
        },
      },
    ],
    'typedData.types.Test[1].name',
    /repeat/u,
  ],
  [
    'a primaryType without members, and a message',
    [ME, { ...base, types: { ...base.types, Test: [] }, message: { amount: 'all' } }],
    'typedData.types.Test',
    /nothing of the message would be signed/u,
  ],
  [
    'a type name of 300 characters',
    typed('bool', true, { ['T'.repeat(300)]: [] }),
    'typedData.types',
    /more than 256 characters/u,
  ],
  [
    'a member name of 300 characters',
    [ME, { ...base, types: { ...base.types, Test: [{ name: 'm'.repeat(300), type: 'bool' }] } }],
    'typedData.types.Test[0].name',
    /at most 256 characters/u,
  ],
  [
    '250 types with long names that all refer to the next',
    typed('T0', {}, chainedTypes(250, 200)),
    'typedData.types',
    /shorter, or refer to each other less/u,
  ],
  ['a missing member', [ME, { ...base, message: {} }], 'typedData.message.value', /is missing/u],
  [
    'a member that every object inherits',
    [ME, { ...base, types: { ...base.types, Test: [{ name: 'toString', type: 'string' }] }, message: {} }],
    'typedData.message.toString',
    /is missing/u,
  ],
  ...badValues('bool', ['false', 'true', 0, 1, '', null, []], /true or false/u),
  ...badValues(
    'uint256',
    [
      '',
      ' 1',
      '1 ',
      '+1',
      '0b101',
      '0o7',
      '1e3',
      '1.0',
      '0x',
      '-0',
      '01',
      '1_000',
      null,
      true,
      [],
      {},
      1.5,
      2 ** 53,
      1e21,
      'abc',
      '0xg',
    ],
    /whole number/u,
  ),
  ...badValues('uint256', [-1, '-1', (1n << 256n).toString()], /must fit uint256/u),
  ...badValues('uint8', [256, '256', '0x100', -1], /must fit uint8/u),
  ...badValues('int8', [128, -129, '0x80', '-129'], /must fit int8/u),
  ...badValues('int256', [(1n << 255n).toString(), (-(1n << 255n) - 1n).toString()], /must fit int256/u),
  ...badValues(
    'address',
    [
      '',
      '0x',
      'vitalik.eth',
      ME.slice(2),
      ME.slice(0, -2),
      `${ME}00`,
      5,
      '917551056842671309452305380979543736893630245704',
      null,
    ],
    /must be an address/u,
  ),
  ...badValues('bytes', ['', 'hello', '0x123', '0xzz', 5, null, [1, 2]], /must be bytes/u),
  ...badValues('bytes4', ['0x', '0x123456', '0x1234567890'], /exactly 4 bytes/u),
  ...badValues('bytes32', [`0x${'0'.repeat(63)}`], /even number/u),
  ...badValues('string', [5, null, true, ['a'], {}], /must be a string/u),
  ...badValues('string', ['\ud800', 'a\udc00b'], /well-formed/u),
  ...badValues('uint8[]', [5, null, {}, '0x', { length: 0 }], /must be an array/u),
  ...badValues('uint8[2]', [[1], [1, 2, 3], []], /exactly 2 items/u),
  ...badValues('Inner', [null, [], 'x', 5], /must be an object with the members of Inner/u, {
    Inner: [{ name: 'a', type: 'bool' }],
  }),
  [
    'a bad item deep inside',
    typed('Inner[2][]', [[{ a: 1 }, { a: 256 }]], { Inner: [{ name: 'a', type: 'uint8' }] }),
    'typedData.message.value[0][1].a',
    /must fit uint8/u,
  ],
  [
    'a null in a recursive struct',
    typed('Node', { next: null }, { Node: [{ name: 'next', type: 'Node' }] }),
    'typedData.message.value.next',
    /must be an object/u,
  ],
  ['arrays nested 80 deep', typed(`uint8${'[]'.repeat(80)}`, deepValue), 'typedData', /levels deep/u],
  [
    '300 types',
    typed('bool', true, Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`T${index}`, []]))),
    'typedData.types',
    /at most 256 types/u,
  ],
  [
    '200,000 values',
    typed(
      'uint8[]',
      Array.from({ length: 200_000 }, () => 1),
    ),
    'typedData',
    /at most 100000 values/u,
  ],
]);

describe('what looks odd in real requests but is sound', () => {
  it.each([
    [
      'a type name with a colon',
      'eth_signTypedData_v4',
      typed('Hyper:Withdraw', { a: true }, { 'Hyper:Withdraw': [{ name: 'a', type: 'bool' }] }),
    ],
    [
      'members of the message that its type does not have',
      'eth_signTypedData_v4',
      [ME, { ...base, message: { value: 1, signatureChainId: '0x1' } }],
    ],
    [
      'a version in the domain that is not declared',
      'eth_signTypedData_v4',
      withDomain([DOMAIN[0]], { name: 'x', version: '1' }),
    ],
    ['an empty domain that says so', 'eth_signTypedData_v4', withDomain([], {})],
    [
      'type members with keys of an ABI',
      'eth_signTypedData_v4',
      [ME, { ...base, types: { ...base.types, Test: [{ name: 'value', type: 'uint256', internalType: 'uint256' }] } }],
    ],
    [
      'types that nothing uses',
      'eth_signTypedData_v4',
      typed('bool', true, { Unused: [{ name: 'a', type: 'Test[]' }] }),
    ],
    [
      'a recursive struct that ends in an empty list',
      'eth_signTypedData_v4',
      typed('Node', { next: [{ next: [] }] }, { Node: [{ name: 'next', type: 'Node[]' }] }),
    ],
    [
      'integers as decimal text, hex text with leading zeros, and numbers',
      'eth_signTypedData_v4',
      typed('uint256[]', [1, '1', '0x1', '0x0001', '0xFF']),
    ],
    [
      '4,095 items',
      'eth_signTypedData_v4',
      typed(
        'uint8[]',
        Array.from({ length: 4095 }, () => 7),
      ),
    ],
    [
      '10,000 structs',
      'eth_signTypedData_v4',
      typed(
        'Inner[]',
        Array.from({ length: 10_000 }, () => ({ a: 1, b: 2 })),
        {
          Inner: [
            { name: 'a', type: 'uint8' },
            { name: 'b', type: 'uint8' },
          ],
        },
      ),
    ],
  ] as [string, EoaMethod, unknown][])('signs %s', async (_what, method, params) => {
    await expect(signWith(KEY, method, params)).resolves.toBeDefined();
  });
});

describe('a refusal', () => {
  it('never repeats the value', async () => {
    const secret = `0x${'5ec4e7'.repeat(10)}`;
    for (const [method, params] of [['eth_signTypedData_v4', typed('bytes4', secret)]] as [EoaMethod, unknown][]) {
      const { message, data } = await refusalOf(method, params);
      expect(message + JSON.stringify(data)).not.toContain('5ec4e7');
    }
  });
});
