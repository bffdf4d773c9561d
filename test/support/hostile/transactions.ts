import { perRun } from '../nightly';
import { type HostileCase, refused, signed } from './case';
import { KEY, ME, MISSPELT, OTHER, SECOND } from './people';
import { DELEGATING_TRANSACTIONS } from './delegating-transactions';
import { DANGEROUS_TRANSACTIONS } from './dangerous-transactions';
import { EIP1559, EIP2930, LEGACY, type Tx, without } from './transaction';

const STORAGE_KEYS = perRun(20_000, 150_000);

const power = (exponent: number): string => `0x${(1n << BigInt(exponent)).toString(16)}`;
const below = (exponent: number): string => `0x${((1n << BigInt(exponent)) - 1n).toString(16)}`;

/** A changed transaction must be rejected, naming `transaction.<field>`. */
const changed = (name: string, change: Tx, field: string, rule: RegExp, base: Tx = LEGACY): HostileCase<unknown> =>
  refused(name, [{ ...base, ...change }], `transaction.${field}`, rule);

const SHAPES: readonly HostileCase<unknown>[] = [
  refused('no parameters', undefined, 'params', /is missing|must be a list/u),
  refused('a transaction outside a list', LEGACY, 'params', /must be a list/u),
  refused('an empty list', [], 'transaction', /is missing/u),
  refused('two transactions', [LEGACY, LEGACY], 'params[1]', /not a known field/u),
  refused('an address in front', [ME, LEGACY], 'transaction', /must be/u),
  refused('a raw transaction', ['0x02c0'], 'transaction', /must be/u),
  refused('a transaction as text', [JSON.stringify(LEGACY)], 'transaction', /must be/u),
  refused('null', [null], 'transaction', /must be/u),
  refused('a number', [5], 'transaction', /must be/u),
  refused('a list of a list', [[LEGACY]], 'transaction.type', /is missing/u, {
    mustOverRpc: { refuse: { field: 'transaction.type', rule: /is missing/u } },
  }),
  refused('an empty object', [{}], 'transaction.type', /is missing/u),
  refused('inherited fields', [{ __proto__: LEGACY }], 'transaction.type', /is missing/u),
];

const MISSING: readonly HostileCase<unknown>[] = [
  ...['type', 'nonce', 'gasPrice', 'gasLimit', 'value', 'chainId', 'from'].map((name) =>
    refused(`no ${name}`, [without(LEGACY, name)], `transaction.${name}`, /is missing/u),
  ),
  // Libraries leave out the data of a plain transfer, so sites may.
  refused('no data', [without(LEGACY, 'data')], 'transaction.data', /is missing/u, { handlers: ['keyring'] }),
  ...['maxFeePerGas', 'maxPriorityFeePerGas'].map((name) =>
    refused(`no ${name}`, [without(EIP1559, name)], `transaction.${name}`, /is missing/u),
  ),
];

/** Fields from other types, libraries and chains. */
const UNKNOWN: readonly HostileCase<unknown>[] = [
  ...[
    ['gas', '0x5208'],
    ['input', '0x'],
    ['authorizationList', []],
    ['blobVersionedHashes', []],
    ['maxFeePerBlobGas', '0x1'],
    ['feeCurrency', OTHER],
    ['gatewayFee', '0x1'],
    ['customData', {}],
    ['eip712Meta', {}],
    ['accessLists', []],
    ['yParity', '0x0'],
    ['hash', `0x${'00'.repeat(32)}`],
    ['raw', '0x'],
    ['sender', OTHER],
    ['recipient', OTHER],
    ['To', OTHER],
    ['to ', OTHER],
    ['constructor', {}],
    ['toString', '0x'],
  ].map(([name, value]) => {
    const isPlain = /^[A-Za-z0-9]+$/u.test(name as string);
    return refused(
      `the field "${name as string}"`,
      [{ ...EIP1559, [name as string]: value }],
      isPlain ? `transaction.${name as string}` : 'transaction',
      isPlain ? /not a known field/u : /has an unknown field/u,
    );
  }),
  refused(
    'gas instead of gasLimit',
    [{ ...without(LEGACY, 'gasLimit'), gas: '0x5208' }],
    'transaction.gasLimit',
    /is missing/u,
    // Libraries call it so, and sites may.
    { handlers: ['keyring'] },
  ),
  refused('data and another input', [{ ...LEGACY, data: '0x12', input: '0x34' }], 'transaction.input', /not a known/u),
  refused(
    'an own __proto__',
    [JSON.parse(`{"__proto__":{"to":null},${JSON.stringify(LEGACY).slice(1)}`)],
    'transaction.__proto__',
    /not a known field/u,
  ),
  refused(
    'a field whose name is a private key',
    [{ ...LEGACY, [KEY.replaceAll('4', '5')]: '0x1' }],
    'transaction',
    /has an unknown field/u,
  ),
  changed('maxFeePerGas in a legacy transaction', { maxFeePerGas: '0x1' }, 'maxFeePerGas', /not a known field/u),
  changed('an access list in a legacy transaction', { accessList: [] }, 'accessList', /not a known field/u),
  changed('gasPrice beside the fees of EIP-1559', { gasPrice: '0x1' }, 'gasPrice', /not a known field/u, EIP1559),
  changed('maxFeePerGas in EIP-2930', { maxFeePerGas: '0x1' }, 'maxFeePerGas', /not a known field/u, EIP2930),
];

const TYPES: readonly HostileCase<unknown>[] = [
  ...['0x3', '0x5', '0x7e', '0x', '0x00', '0x02', '0X2', '2', '', 'legacy', 'eip1559', 'constructor'].map((type) =>
    changed(`the type "${type}"`, { type }, 'type', /must be one of/u, EIP1559),
  ),
  ...[0, 2, null, true, ['0x2'], {}].map((type) =>
    changed(`the type ${JSON.stringify(type)}`, { type }, 'type', /must be one of/u, EIP1559),
  ),
];

const QUANTITIES = ['nonce', 'gasLimit', 'value', 'chainId', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const;
/** Values that are not JSON-RPC quantities, even if some library accepts them. */
const NO_QUANTITY: readonly unknown[] = [
  null,
  1,
  true,
  '',
  '0x',
  '1',
  '1e18',
  '0x01',
  '0X1',
  '-0x1',
  ' 0x1',
  '0x1\n',
  '0x1.0',
  '0b1',
  '0x\uff11',
  [],
  ['0x1'],
  { toString: '0x1' },
  { type: 'BigNumber', hex: '0x1' },
];
/** Each field gets every third value, which covers every field and almost every kind of invalid value. */
const NONSENSE: readonly HostileCase<unknown>[] = QUANTITIES.flatMap((field, index) =>
  NO_QUANTITY.filter((_value, at) => at % 3 === index % 3).map((value) =>
    changed(`${JSON.stringify(value)} for ${field}`, { [field]: value }, field, /hex quantity/u, EIP1559),
  ),
);

const LIMITS: readonly HostileCase<unknown>[] = [
  changed('a nonce of 2^64-1', { nonce: below(64) }, 'nonce', /2\^64-2/u),
  changed('a nonce of 2^64', { nonce: power(64) }, 'nonce', /2\^64-2/u),
  changed('a gas limit of 2^64', { gasLimit: power(64) }, 'gasLimit', /2\^64-1/u),
  changed('a value of 2^256', { value: power(256) }, 'value', /2\^256-1/u),
  changed('a value of a million digits', { value: `0x1${'0'.repeat(1_000_000)}` }, 'value', /2\^256-1/u),
  changed('a gas price of 2^256', { gasPrice: power(256) }, 'gasPrice', /2\^256-1/u),
  changed('fees of 2^256', { maxFeePerGas: power(256) }, 'maxFeePerGas', /2\^256-1/u, EIP1559),
  changed('gas and a price of 2^256', { gasLimit: '0x10', gasPrice: power(252) }, 'gasPrice', /below 2\^256/u),
  changed(
    'gas and fees of 2^256',
    { gasLimit: '0x10', maxFeePerGas: power(252) },
    'maxFeePerGas',
    /below 2\^256/u,
    EIP1559,
  ),
  changed(
    'a priority fee above the maximum',
    { maxPriorityFeePerGas: '0x59682f01' },
    'maxPriorityFeePerGas',
    /not be above/u,
    EIP1559,
  ),
  changed('chain 0', { chainId: '0x0' }, 'chainId', /must not be zero/u),
  changed('a chain above EIP-2294', { chainId: '0x7fffffffffffffdc' }, 'chainId', /at most/u),
  changed('a chain by name', { chainId: 'eip155:1' }, 'chainId', /hex quantity/u),
];

const BYTES: readonly HostileCase<unknown>[] = [
  ...['', '0x123', '0xzz', '0X12', '12', ' 0x12', '0x12\n', '0x1\u0662'].map((data) =>
    changed(`the data ${JSON.stringify(data)}`, { data }, 'data', /must be bytes/u),
  ),
  ...[null, 5, true, [], { type: 'Buffer', data: [18] }].map((data) =>
    changed(`the data ${JSON.stringify(data)}`, { data }, 'data', /must be bytes/u),
  ),
  ...[
    '',
    '0x',
    '0x0',
    'vitalik.eth',
    OTHER.slice(0, -1),
    `${OTHER}0`,
    OTHER.slice(2),
    `0x${'00'.repeat(12)}${OTHER.slice(2)}`,
    `${OTHER}\n`,
  ].map((to) => changed(`the recipient ${JSON.stringify(to)}`, { to }, 'to', /must be an address/u)),
  ...[0, false, [], [OTHER], {}].map((to) =>
    changed(`the recipient ${JSON.stringify(to)}`, { to }, 'to', /must be an address/u),
  ),
];

const listed = (name: string, accessList: unknown, where: string, rule: RegExp): HostileCase<unknown> =>
  changed(name, { accessList }, `accessList${where}`, rule, EIP1559);
const entry = { address: OTHER, storageKeys: [] };
const ACCESS_LISTS: readonly HostileCase<unknown>[] = [
  listed('an access list as an object', { [OTHER]: [] }, '', /must be a list/u),
  listed('an access list in RLP', '0xc0', '', /must be a list/u),
  listed('an entry that is null', [null], '[0]', /must be an object/u),
  listed('an entry as a pair', [[OTHER, []]], '[0].address', /is missing/u),
  listed('an entry without keys', [{ address: OTHER }], '[0].storageKeys', /is missing/u),
  listed('an entry without address', [entry, { storageKeys: [] }], '[1].address', /is missing/u),
  listed('an entry with more fields', [{ ...entry, x: 1 }], '[0].x', /not a known field/u),
  listed('a short address', [{ ...entry, address: '0x12' }], '[0].address', /must be an address/u),
  listed('keys that are no list', [{ ...entry, storageKeys: '0x' }], '[0].storageKeys', /must be a list/u),
  listed('a key of 31 bytes', [{ ...entry, storageKeys: [`0x${'00'.repeat(31)}`] }], '[0].storageKeys[0]', /32 bytes/u),
  listed('a key of 33 bytes', [{ ...entry, storageKeys: [`0x${'00'.repeat(33)}`] }], '[0].storageKeys[0]', /32 bytes/u),
  listed('a key as a number', [{ ...entry, storageKeys: [1] }], '[0].storageKeys[0]', /32 bytes/u),
];

const NOT_HIS = { refuse: { field: 'origin', rule: /not connected/u, code: 4100 } };
const CALLERS: readonly HostileCase<unknown>[] = [
  refused('an unknown account', [{ ...LEGACY, from: OTHER }], 'transaction.from', /address of the account/u, {
    mustOverRpc: NOT_HIS,
  }),
  refused('another account', [{ ...LEGACY, from: SECOND }], 'transaction.from', /address of the account/u, {
    handlers: ['keyring'],
  }),
  changed('a short sender', { from: ME.slice(0, -1) }, 'from', /must be an address/u),
  changed('a sender by name', { from: 'me.eth' }, 'from', /must be an address/u),
  refused('the scope eip155:10', [LEGACY], 'transaction.chainId', /must be \d+, the chain of the request/u, {
    scope: 'eip155:10',
  }),
  ...['eip155:0x1', 'eip155:0xa', 'eip155:null', 'eip155:undefined', 'eip155:1,eip155:10', 'bip122:1'].map((scope) =>
    refused(`the scope ${scope}`, [LEGACY], 'scope', /must be an EVM chain/u, { scope, handlers: ['keyring'] }),
  ),
  refused('a method of sending', [LEGACY], 'request.method', /does not support/u, {
    method: 'eth_sendRawTransaction',
    code: -32601,
    mustOverRpc: { refuse: { field: 'method', rule: /does not support/u, code: 4200 } },
  }),
];

/** Inputs of real requests that look unusual but are valid. */
const SOUND: readonly HostileCase<unknown>[] = [
  signed('a legacy transaction', [LEGACY]),
  signed('an EIP-2930 transaction', [EIP2930]),
  signed('an EIP-1559 transaction', [EIP1559]),
  signed('a sender in lower case', [{ ...LEGACY, from: ME.toLowerCase() }]),
  signed('a sender with a wrong checksum', [{ ...LEGACY, from: MISSPELT }]),
  signed('a contract creation without the field to', [without({ ...LEGACY, value: '0x0', data: '0x6000' }, 'to')]),
  signed('an access list of null, which counts as absent', [{ ...EIP1559, accessList: null }]),
  signed('a contract creation with to null', [{ ...EIP1559, to: null, value: '0x0', data: '0x6000' }]),
  signed('no access list', [without(EIP1559, 'accessList')]),
  signed('an access list with an entry twice', [{ ...EIP2930, accessList: [entry, entry] }]),
  signed(
    `${STORAGE_KEYS} storage keys`,
    [
      {
        ...EIP1559,
        accessList: [{ ...entry, storageKeys: Array.from({ length: STORAGE_KEYS }, () => `0x${'00'.repeat(32)}`) }],
      },
    ],
    { handlers: ['keyring'] },
  ),
  signed('r, s and v of a signature, as a library includes them', [{ ...EIP1559, v: '0x1', r: below(255), s: '0x1' }]),
  signed('the highest chain id', [{ ...LEGACY, chainId: '0x7fffffffffffffdb' }]),
  signed('a chain whose v has seven digits', [{ ...LEGACY, chainId: '0xaa36a7' }], { scope: 'eip155:11155111' }),
  signed('the highest nonce', [{ ...LEGACY, nonce: '0xfffffffffffffffe' }]),
  signed('the highest gas limit', [{ ...LEGACY, gasLimit: below(64) }]),
  signed('the highest value', [{ ...LEGACY, value: below(256) }]),
  signed('nothing but zeros', [
    { ...EIP1559, nonce: '0x0', gasLimit: '0x0', value: '0x0', maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' },
  ]),
  signed('hex in upper case', [{ ...LEGACY, value: '0xDE0B6B3A7640000', data: '0xABCDEF' }]),
  signed('data of 200,000 bytes', [{ ...EIP1559, data: `0x${'ab'.repeat(200_000)}` }]),
  signed('a scope that names no chain', [LEGACY], { scope: 'eip155:0' }),
  signed('a transaction to oneself', [{ ...EIP1559, to: ME, value: '0x0' }]),
];

export const TRANSACTIONS: readonly HostileCase<unknown>[] = [
  ...SHAPES,
  ...MISSING,
  ...UNKNOWN,
  ...TYPES,
  ...NONSENSE,
  ...LIMITS,
  ...BYTES,
  ...ACCESS_LISTS,
  ...CALLERS,
  ...SOUND,
  ...DANGEROUS_TRANSACTIONS,
  ...DELEGATING_TRANSACTIONS,
];
