import { perRun } from '../nightly';
import { type HostileCase, signed } from './case';
import { ME, MISSPELT, OTHER } from './people';
import { BASE, changed, DOMAIN, domain, typed, withDomain, withTypes } from './typed';

const TEXT = JSON.stringify(BASE);
/** The reference encoder takes half a minute for 10,000. */
const STRUCTS = perRun(1_000, 10_000);

const range = (length: number): number[] => Array.from({ length }, (_item, index) => index % 200);

/** Inputs of real requests that look unusual but are valid. */
export const SOUND_TYPED_DATA: readonly HostileCase<unknown>[] = [
  signed('one member', [ME, BASE]),
  signed('an account in lower case', [ME.toLowerCase(), BASE]),
  signed('an account with a wrong checksum', [MISSPELT, BASE]),
  signed('typed data as a page sends it', [ME, TEXT], { handlers: ['rpc'] }),
  signed('typed data as formatted JSON', [ME, JSON.stringify(BASE, null, 2)], { handlers: ['rpc'] }),
  signed(
    'a type name with a colon',
    typed('Hyper:Withdraw', { a: true }, { 'Hyper:Withdraw': [{ name: 'a', type: 'bool' }] }),
  ),
  signed(
    'a primary type with a colon',
    withTypes(
      { 'HyperliquidTransaction:Withdraw': [{ name: 'value', type: 'uint256' }] },
      { primaryType: 'HyperliquidTransaction:Withdraw' },
    ),
  ),
  signed('the chain in hex', withDomain(DOMAIN, { ...domain, chainId: '0x1' }), {
    scope: 'eip155:0x1',
    handlers: ['keyring'],
  }),
  signed('the chain in hex with zeros', withDomain(DOMAIN, { ...domain, chainId: '0x01' }), {
    scope: 'eip155:0x01',
    handlers: ['keyring'],
  }),
  signed('the chain as decimal text', withDomain(DOMAIN, { ...domain, chainId: '1' }), { scope: 'eip155:1' }),
  signed('a chain of 78 digits', withDomain(DOMAIN, { ...domain, chainId: ((1n << 256n) - 1n).toString() }), {
    scope: `eip155:${(1n << 256n) - 1n}`,
    handlers: ['keyring'],
  }),
  signed('the scope without a chain', [ME, BASE], { scope: 'eip155:0' }),
  signed('a domain with only a name', withDomain([DOMAIN[0]], { name: 'x' })),
  signed(
    'a domain with only a salt',
    withDomain([{ name: 'salt', type: 'bytes32' }], { salt: `0x${'11'.repeat(32)}` }),
  ),
  signed('a domain with members in another order', withDomain([...DOMAIN].reverse(), domain)),
  signed('an empty domain that is declared', withDomain([], {})),
  signed('a domain with empty texts', withDomain(DOMAIN, { ...domain, name: '', version: '' })),
  signed(
    'type members with keys of an ABI',
    withTypes({ Test: [{ name: 'value', type: 'uint256', internalType: 'uint256' }] }),
  ),
  signed('__typename in the message, which is not signed', changed({ message: { value: 1, __typename: 'Test' } })),
  signed('unused types', withTypes({ Unused: [{ name: 'a', type: 'Test[]' }] })),
  signed(
    'a struct named like a function of objects',
    typed('toString', { valueOf: true }, { toString: [{ name: 'valueOf', type: 'bool' }] }),
  ),
  signed('a struct without members', typed('Nothing', {}, { Nothing: [] })),
  signed('a domain as a member', typed('EIP712Domain', domain)),
  signed(
    'a recursive struct that ends in an empty list',
    typed('Node', { next: [{ next: [] }] }, { Node: [{ name: 'next', type: 'Node[]' }] }),
  ),
  signed(
    'a struct in two places',
    withTypes(
      {
        Test: [
          { name: 'a', type: 'P' },
          { name: 'b', type: 'P[2]' },
        ],
        P: [{ name: 'x', type: 'uint8' }],
      },
      { message: { a: { x: 1 }, b: [{ x: 2 }, { x: 3 }] } },
    ),
  ),
  signed(
    'types that are not in alphabetical order',
    typed('Z', { a: { b: 1 } }, { Z: [{ name: 'a', type: 'B' }], B: [{ name: 'b', type: 'uint8' }] }),
  ),
  signed(
    'integers in every spelling',
    typed('uint256[]', [1, '1', '0x1', '0x0001', '0xFF', ((1n << 256n) - 1n).toString()]),
  ),
  signed(
    'the minimum and maximum int256',
    typed('int256[]', [(-(1n << 255n)).toString(), ((1n << 255n) - 1n).toString()]),
  ),
  signed('the minimum and maximum int8', typed('int8[]', [-128, '-128', 127, '0x7f'])),
  signed('the maximum safe integer', typed('uint64', 2 ** 53 - 1)),
  signed('zero with a minus', typed('int8', JSON.parse('-0'))),
  signed('both booleans', typed('bool[]', [true, false])),
  signed('empty bytes', typed('bytes', '0x')),
  signed('bytes in upper case', typed('bytes4', '0xABCDEF01')),
  signed('empty text', typed('string', '')),
  signed('an empty list as a value', typed('uint8[]', [])),
  signed('empty lists in a list', typed('uint8[][]', [[], []])),
  signed(
    'a list of lists of fixed length',
    typed('uint8[2][3]', [
      [1, 2],
      [3, 4],
      [5, 6],
    ]),
  ),
  signed('text in other scripts, and emoji', typed('string', 'Ünï¢ødé 🦊 こんにちは')),
  signed('text with a zero byte and line feeds', typed('string', 'a\0b\nc')),
  signed('an address in lower case', typed('address', OTHER)),
  signed('an address in upper case', typed('address', `0x${ME.slice(2).toUpperCase()}`)),
  signed(
    '32 members',
    withTypes(
      { Test: range(32).map((index) => ({ name: `m${index}`, type: 'uint8' })) },
      { message: Object.fromEntries(range(32).map((index) => [`m${index}`, index])) },
    ),
  ),
  signed('4,095 items', typed('uint8[]', range(4095))),
  signed(
    `${STRUCTS} structs`,
    typed(
      'Inner[]',
      range(STRUCTS).map((a) => ({ a, b: 2 })),
      {
        Inner: [
          { name: 'a', type: 'uint8' },
          { name: 'b', type: 'uint8' },
        ],
      },
    ),
  ),
  signed(
    '30 lists deep',
    typed(
      `uint8${'[]'.repeat(30)}`,
      range(29).reduce<unknown>((inner) => [inner], [7]),
    ),
  ),
  signed(
    'a message whose values are names of functions',
    changed({ message: { value: '1', toString: 'x', constructor: 'y' } }),
  ),
];
