import { type HostileCase, refused } from './case';
import { DANGEROUS_TYPED_DATA } from './dangerous-typed-data';
import { ME, OTHER, SECOND } from './people';
import { SOUND_TYPED_DATA } from './sound-typed-data';
import { without } from './transaction';
import { BASE, changed, DOMAIN, domain, withDomain, withTypes } from './typed';
import { HOSTILE_TYPES } from './typed-types';
import { HOSTILE_VALUES } from './typed-values';

const IS_MISSING = /is missing/u;

/** The valid typed data with changed JSON. JSON.parse creates own properties, whatever their names. */
const ownProto = (from: string, to: string): unknown[] => [ME, JSON.parse(JSON.stringify(BASE).replaceAll(from, to))];

const SHAPES: readonly HostileCase<unknown>[] = [
  refused('no parameters', undefined, 'params', /is missing|must be a list/u),
  refused('an object', {}, 'params', /must be a list/u),
  refused('an empty list', [], 'address', IS_MISSING, {
    mustOverRpc: { refuse: { field: 'address', rule: IS_MISSING } },
  }),
  refused('no typed data', [ME], 'typedData', IS_MISSING),
  refused('swapped parameters', [BASE, ME], 'address', /must be an address/u, {
    mustOverRpc: { refuse: { field: 'typedData', rule: /its JSON text/u } },
  }),
  refused('a third parameter', [ME, BASE, 'V1'], 'params[2]', /not a known field/u),
  refused('typed data as text', [ME, JSON.stringify(BASE)], 'typedData', /must be an object/u, { mustOverRpc: {} }),
  refused('text that is not JSON', [ME, '{'], 'typedData', /must be an object/u),
  refused('text of text', [ME, JSON.stringify(JSON.stringify(BASE))], 'typedData', /must be an object/u),
  refused('typed data of version 1', [ME, [{ type: 'string', name: 'a', value: 'b' }]], 'typedData.types', IS_MISSING),
  ...[null, 5, true].map((value) => refused(`${String(value)}`, [ME, value], 'typedData', /must be an object/u)),
  refused('a hash', [ME, `0x${'11'.repeat(32)}`], 'typedData', /must be an object/u),
  ...['types', 'domain', 'message', 'primaryType'].map((name) =>
    refused(`no ${name}`, [ME, without(BASE, name)], `typedData.${name}`, IS_MISSING),
  ),
  ...['types', 'domain', 'message'].flatMap((name) =>
    [null, 'text', 5, true].map((value) =>
      refused(`${name} that is ${JSON.stringify(value)}`, changed({ [name]: value }), `typedData.${name}`, /must be/u),
    ),
  ),
  refused('types that are a list', changed({ types: [DOMAIN] }), 'typedData.types', /must be/u),
  refused('a domain that is a list', changed({ domain: [] }), 'typedData.domain', /must be/u),
  refused('a message that is a list', changed({ message: [1] }), 'typedData.message', /must be/u),
  refused('another field at the top', changed({ extra: 1 }), 'typedData.extra', /not a known field/u),
  refused('own __proto__ for types', ownProto('"types"', '"__proto__"'), 'typedData.types', IS_MISSING),
  refused(
    'an inherited message',
    ownProto('"message":{"value":1}', '"message":{"__proto__":{"value":1}}'),
    'typedData.message',
    /__proto__/u,
  ),
  refused(
    'a message with an own __proto__',
    ownProto('"message":{', '"message":{"__proto__":{"value":2},'),
    'typedData.message',
    /__proto__/u,
  ),
  refused(
    'a domain with an own __proto__',
    ownProto('"domain":{', '"domain":{"__proto__":{"chainId":2},'),
    'typedData.domain',
    /must be one of/u,
  ),
  refused(
    'a type named __proto__',
    ownProto('"types":{', '"types":{"__proto__":[{"name":"a","type":"bool"}],'),
    'typedData.types',
    /__proto__/u,
  ),
  refused('a member named __proto__', ownProto('"value"', '"__proto__"'), 'typedData.types.Test[0].name', /__proto__/u),
];

const PRIMARY: readonly HostileCase<unknown>[] = [
  ...[
    'Nothing',
    '',
    'test',
    'Test ',
    'Test[]',
    'uint256',
    'toString',
    'constructor',
    '__proto__',
    'Test(uint256 value)',
  ].map((primaryType) =>
    refused(`the primary type "${primaryType}"`, changed({ primaryType }), 'typedData.primaryType', /defined/u),
  ),
  ...[null, 5, ['Test'], {}].map((primaryType) =>
    refused(
      `the primary type ${JSON.stringify(primaryType)}`,
      changed({ primaryType }),
      'typedData.primaryType',
      /must be a string/u,
    ),
  ),
  refused(
    'EIP712Domain as primary type',
    changed({ primaryType: 'EIP712Domain', message: {} }),
    'typedData.primaryType',
    /would not be signed/u,
  ),
  refused(
    'a primary type without members, and a message',
    withTypes({ Test: [] }, { message: { amount: 'all' } }),
    'typedData.types.Test',
    /none of the message would be signed/u,
  ),
];

const DOMAINS: readonly HostileCase<unknown>[] = [
  refused(
    'no EIP712Domain',
    changed({ types: without(BASE.types, 'EIP712Domain') }),
    'typedData.types.EIP712Domain',
    /valid on every chain and for every contract\. List the members of domain in types\.EIP712Domain/u,
  ),
  refused('EIP712Domain of null', withTypes({ EIP712Domain: null }), 'typedData.types.EIP712Domain', /must be a list/u),
  refused(
    'an unknown domain member',
    withDomain([{ name: 'foo', type: 'string' }], { foo: 'x' }),
    'typedData.types.EIP712Domain[0].name',
    /must be one of/u,
  ),
  refused(
    'an inherited domain member',
    withDomain([{ name: 'constructor', type: 'string' }], { constructor: 'x' }),
    'typedData.types.EIP712Domain[0].name',
    /must be one of/u,
  ),
  ...[
    ['chainId', 'string', 'uint256'],
    ['chainId', 'uint8', 'uint256'],
    ['verifyingContract', 'bytes32', 'address'],
    ['name', 'bytes', 'string'],
    ['salt', 'string', 'bytes32'],
  ].map(([name = '', type = '', right = '']) =>
    refused(
      `${name} as ${type}`,
      withDomain([{ name, type }], { [name]: '1' }),
      'typedData.types.EIP712Domain[0].type',
      new RegExp(`must be ${right}`, 'u'),
    ),
  ),
  refused(
    'a domain member twice',
    withDomain([DOMAIN[0], DOMAIN[0]], { name: 'x' }),
    'typedData.types.EIP712Domain[1].name',
    /repeat/u,
  ),
  ...['name', 'version', 'chainId', 'verifyingContract'].map((name) =>
    refused(
      `no ${name}, which is declared`,
      withDomain(DOMAIN, without(domain, name)),
      `typedData.domain.${name}`,
      IS_MISSING,
    ),
  ),
  ...[
    ['chainId', 1],
    ['verifyingContract', OTHER],
    ['salt', `0x${'11'.repeat(32)}`],
  ].map(([name, value]) =>
    refused(
      `${name as string} that is not declared`,
      withDomain([DOMAIN[0]], { name: 'x', [name as string]: value }),
      `typedData.domain.${name as string}`,
      /must be declared/u,
    ),
  ),
  refused(
    '__typename in the domain, as GraphQL clients leave it there',
    withDomain([DOMAIN[0]], { name: 'x', __typename: 'Domain' }),
    'typedData.domain',
    /must be one of/u,
  ),
  refused(
    'an unknown value in the domain',
    withDomain([DOMAIN[0]], { name: 'x', foo: 1 }),
    'typedData.domain',
    /must be one of/u,
  ),
  ...[null, 1.5, -1, '', 'NaN', 'one', '1 ', '0b1', '01', [1], {}, true, 2 ** 53].map((chainId) =>
    refused(
      `the chain ${JSON.stringify(chainId)}`,
      withDomain(DOMAIN, { ...domain, chainId }),
      'typedData.domain.chainId',
      /whole number|must fit/u,
    ),
  ),
  ...['', '0x', 'cosmos', OTHER.slice(0, -1), `0x${'00'.repeat(32)}`, null, 0].map((verifyingContract) =>
    refused(
      `the contract ${JSON.stringify(verifyingContract)}`,
      withDomain(DOMAIN, { ...domain, verifyingContract }),
      'typedData.domain.verifyingContract',
      /must be an address/u,
    ),
  ),
  ...[5, null, ['Ether Mail'], '\ud800'].map((name) =>
    refused(
      `the name ${JSON.stringify(name)}`,
      withDomain(DOMAIN, { ...domain, name }),
      'typedData.domain.name',
      /must be/u,
    ),
  ),
  refused(
    'a version as a number',
    withDomain(DOMAIN, { ...domain, version: 1 }),
    'typedData.domain.version',
    /must be a string/u,
  ),
  refused(
    'a salt of 31 bytes',
    withDomain([{ name: 'salt', type: 'bytes32' }], { salt: `0x${'11'.repeat(31)}` }),
    'typedData.domain.salt',
    /exactly 32 bytes/u,
  ),
];

const NOT_HIS = { refuse: { field: 'origin', rule: /not connected/u, code: 4100 } };
const CALLERS: readonly HostileCase<unknown>[] = [
  refused('an unknown account', [OTHER, BASE], 'address', /address of the account/u, { mustOverRpc: NOT_HIS }),
  refused('another account', [SECOND, BASE], 'address', /address of the account/u, { handlers: ['keyring'] }),
  ...['me.eth', ME.slice(0, -1), 5, null, [ME]].map((address) =>
    refused(`the account ${JSON.stringify(address)}`, [address, BASE], 'address', /must be an address/u),
  ),
  ...['eip155:10', 'eip155:0xa'].map((scope) =>
    refused(`the scope ${scope}`, [ME, BASE], 'typedData.domain.chainId', /must be \d+, the chain of the request/u, {
      scope,
      ...(scope.includes('x') && { handlers: ['keyring'] as const }),
    }),
  ),
  ...['eip155:null', 'eip155:undefined', 'eip155:NaN', 'eip155:[object Object]'].map((scope) =>
    refused(`the scope ${scope}`, [ME, BASE], 'scope', /must be an EVM chain/u, { scope, handlers: ['keyring'] }),
  ),
];

export const TYPED_DATA: readonly HostileCase<unknown>[] = [
  ...SHAPES,
  ...PRIMARY,
  ...DOMAINS,
  ...HOSTILE_TYPES,
  ...HOSTILE_VALUES,
  ...CALLERS,
  ...SOUND_TYPED_DATA,
  ...DANGEROUS_TYPED_DATA,
];
