import { type HostileCase, refused } from './case';
import { KEY } from './people';
import { typed, withTypes } from './typed';

const IS_MISSING = /is missing/u;
const IDENTIFIER = /identifier/u;

const ATOMS = [
  ...[
    'uint',
    'int',
    'uint7',
    'uint0',
    'uint264',
    'uint08',
    'uint25689',
    'int9',
    'int512',
    'bytes0',
    'bytes33',
    'bytes01',
  ],
  ...[
    'Uint256',
    'UINT256',
    'function',
    'fixed128x18',
    'byte',
    'address payable',
    'mapping(uint256=>bool)',
    'tuple',
    '',
  ],
  ...[' uint8', 'uint8 ', 'uint8\n', 'u\u0456nt8', 'Nothing', 'toString', '__proto__', 'x'.repeat(300)],
  ...[
    'uint8[',
    'uint8]',
    'uint8[]]',
    'uint8[-1]',
    'uint8[0]',
    'uint8[01]',
    'uint8[1.5]',
    'uint8[0x2]',
    'uint8[ 2]',
    'uint8[9999999]',
    '[]',
    '[]uint8',
  ],
];
/** A name that is a valid identifier but may still be a secret. */
const SECRET_NAME = `k${KEY.slice(2)}`;
const inTest = (member: unknown): readonly unknown[] => withTypes({ Test: [member] });

/** Types that EIP-712 does not define, or that libraries hash differently. */
export const HOSTILE_TYPES: readonly HostileCase<unknown>[] = [
  ...ATOMS.map((type) =>
    refused(
      `the type ${JSON.stringify(type.slice(0, 24))}`,
      typed(type, 1),
      'typedData.types.Test[0].type',
      /must be/u,
    ),
  ),
  refused(
    'an unused invalid type',
    withTypes({ Unused: [{ name: 'a', type: 'uint7' }] }),
    'typedData.types.Unused[0].type',
    /must be an EIP-712 type/u,
  ),
  ...['address', 'uint8', 'uint7', 'bytes', 'bytes32', 'string', 'bool', 'uint'].map((name) =>
    refused(
      `a struct named ${name}`,
      withTypes({ [name]: [{ name: 'a', type: 'bool' }] }),
      `typedData.types.${name}`,
      /built-in/u,
    ),
  ),
  ...['', 'A B', 'A,B', 'A(B)', '\u00c4', '1A', 'A[]', 'A\n', 'A.B', 'A-B', ':A', 'A\u200b'].map((name) =>
    refused(
      `a struct named ${JSON.stringify(name)}`,
      withTypes({ [name]: [{ name: 'a', type: 'bool' }] }),
      'typedData.types',
      IDENTIFIER,
    ),
  ),
  ...['', 'to,uint256 amount', 'a b', 'a)', '1a', '\u00e4', 'a:b', 'a[0]', 'value ', 'v\u0430lue'].map((name) =>
    refused(
      `a member named ${JSON.stringify(name)}`,
      withTypes({ Test: [{ name, type: 'bool' }] }, { message: { [name]: true } }),
      'typedData.types.Test[0].name',
      IDENTIFIER,
    ),
  ),
  refused(
    'a member declared twice',
    withTypes({
      Test: [
        { name: 'value', type: 'uint256' },
        { name: 'value', type: 'bool' },
      ],
    }),
    'typedData.types.Test[1].name',
    /repeat/u,
  ),
  refused('members that are not a list', withTypes({ Test: {} }), 'typedData.types.Test', /must be a list/u),
  refused('members as text', withTypes({ Test: 'uint256 value' }), 'typedData.types.Test', /must be a list/u),
  refused('a member that is null', inTest(null), 'typedData.types.Test[0]', /must be an object/u),
  refused('a member as text', inTest('uint256 value'), 'typedData.types.Test[0]', /must be an object/u),
  refused('a member without type', inTest({ name: 'value' }), 'typedData.types.Test[0].type', IS_MISSING),
  refused('a member without name', inTest({ type: 'uint256' }), 'typedData.types.Test[0].name', IS_MISSING),
  refused(
    'a member whose type is a list',
    inTest({ name: 'value', type: ['uint256'] }),
    'typedData.types.Test[0].type',
    /must be a string/u,
  ),
  refused(
    'a type name of 300 characters',
    withTypes({ ['T'.repeat(300)]: [] }),
    'typedData.types',
    /more than 256 characters/u,
  ),
  refused(
    'a member name of 300 characters',
    inTest({ name: 'm'.repeat(300), type: 'bool' }),
    'typedData.types.Test[0].name',
    /at most 256 characters/u,
  ),
  refused(
    'an invalid value of a member whose name is a private key',
    withTypes({ Test: [{ name: SECRET_NAME, type: 'bool' }] }, { message: { [SECRET_NAME]: 1 } }),
    'typedData.message[…]',
    /must be true or false/u,
  ),
  refused(
    'an invalid value of a struct whose name is a private key',
    typed(SECRET_NAME, 1, { [SECRET_NAME]: [{ name: 'a', type: 'bool' }] }),
    'typedData.message.value',
    /must be an object with the members of its type/u,
  ),
  refused(
    'an invalid type in a struct whose name is a private key',
    withTypes({ [SECRET_NAME]: [{ name: 'a', type: 'uint7' }] }),
    'typedData.types[…][0].type',
    /must be an EIP-712 type/u,
  ),
];
