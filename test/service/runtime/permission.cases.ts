import { privateKeyToAccount } from 'viem/accounts';

import { METHOD_NAMES } from '../../../src/service/chain/methods';
import { addressesIn } from '../../../src/service/keys/addresses';
import type { KeyLimits } from '../../../src/service/keys/limits';
import { refusedBy, type Use } from '../../../src/service/keys/permission';

const A = `0x${'aa'.repeat(20)}`;
const B = `0x${'bb'.repeat(20)}`;
const UPPER = `0x${'AA'.repeat(20)}`;
const SITE = 'https://app.example.com';

type Kind = 'origin' | 'network' | 'method' | 'address' | 'storage';
type Row = readonly [what: string, limits: KeyLimits | undefined, use: Partial<Use> | object, refused?: Kind];

const call = (method: string, ...params: unknown[]) => ({ method, params });
const toA: KeyLimits = { addresses: [A] };
const signed = (transaction: object) =>
  privateKeyToAccount(`0x${'01'.repeat(32)}`).signTransaction({
    type: 'eip1559',
    chainId: 1,
    ...transaction,
  } as Parameters<ReturnType<typeof privateKeyToAccount>['signTransaction']>[0]);

const ROWS: readonly Row[] = [
  // One list.
  ['no limits', undefined, call('anything')],
  ['no lists', {}, call('anything')],
  ['a listed method', { methods: ['eth_call', 'eth_chainId'] }, call('eth_chainId')],
  ['a method that is not listed', { methods: ['eth_call'] }, call('eth_chainId'), 'method'],
  ['a method in another case', { methods: ['eth_call'] }, call('ETH_CALL'), 'method'],
  ['an empty list of methods', { methods: [] }, call('eth_chainId'), 'method'],
  ['a listed network', { networks: ['sepolia', 'mainnet'] }, call('eth_chainId')],
  ['a network that is not listed', { networks: ['sepolia'] }, call('eth_chainId'), 'network'],
  ['no network', { networks: [] }, call('eth_chainId'), 'network'],
  // Origins.
  ['the same origin', { origins: [SITE] }, { origin: SITE }],
  ['the second origin', { origins: ['https://other.org', SITE] }, { origin: SITE }],
  ['an origin without its scheme', { origins: ['app.example.com'] }, { origin: 'http://app.example.com' }],
  ['another scheme', { origins: [SITE] }, { origin: 'http://app.example.com' }, 'origin'],
  ['another port', { origins: [SITE] }, { origin: `${SITE}:8443` }, 'origin'],
  ['a host below', { origins: ['https://*.example.com'] }, { origin: 'https://a.b.example.com' }],
  ['the host itself', { origins: ['https://*.example.com'] }, { origin: 'https://example.com' }, 'origin'],
  ['a host that ends alike', { origins: ['*.example.com'] }, { origin: 'https://badexample.com' }, 'origin'],
  ['a host that begins alike', { origins: [SITE] }, { origin: `${SITE}.evil.org` }, 'origin'],
  ['two origins in one header', { origins: ['*.example.com'] }, { origin: `https://evil.org, ${SITE}` }, 'origin'],
  ['a path that ends alike', { origins: ['*.example.com'] }, { origin: 'https://evil.org/.example.com' }, 'origin'],
  ['no origin', { origins: [SITE] }, {}, 'origin'],
  ['the origin null where it is listed', { origins: ['null'] }, { origin: 'null' }],
  ['the origin null where it is not', { origins: ['*.example.com'] }, { origin: 'null' }, 'origin'],
  // Addresses.
  ['a call of a listed contract', toA, call('eth_call', { to: A }, 'latest')],
  ['the same in another case', toA, call('eth_call', { to: UPPER }, 'latest')],
  ['a call of another contract', toA, call('eth_call', { to: B }, 'latest'), 'address'],
  ['a call that creates a contract', toA, call('eth_call', { data: '0x00' }), 'address'],
  ['two fields that Go reads as one', toA, call('eth_call', { to: A, TO: B }), 'address'],
  ['the same the other way round', toA, call('eth_call', { To: B, to: A }), 'address'],
  ['an address in a list', toA, call('eth_call', { to: [A] }), 'address'],
  [
    'code of its own at a listed contract',
    toA,
    call('eth_call', { to: A }, 'latest', { [A]: { code: '0x00' } }),
    'address',
  ],
  ['no changes of the state', toA, call('eth_call', { to: A }, 'latest', null)],
  ['an estimate of another contract', toA, call('eth_estimateGas', { to: B }), 'address'],
  ['an access list of another contract', toA, call('eth_createAccessList', { to: B }), 'address'],
  ['parameters by name', toA, { method: 'eth_call', params: { to: A } }, 'address'],
  ['no parameters', toA, { method: 'eth_getBalance', params: [] }, 'address'],
  ['a listed balance', toA, call('eth_getBalance', UPPER, 'latest')],
  ['another balance', toA, call('eth_getBalance', B, 'latest'), 'address'],
  ['other code', toA, call('eth_getCode', B, 'latest'), 'address'],
  ['another slot', toA, call('eth_getStorageAt', B, '0x0', 'latest'), 'address'],
  ['another proof', toA, call('eth_getProof', B, [], 'latest'), 'address'],
  ['another nonce', toA, call('eth_getTransactionCount', B, 'latest'), 'address'],
  ['logs of a listed contract', toA, call('eth_getLogs', { address: UPPER })],
  ['logs of listed contracts', { addresses: [A, B] }, call('eth_getLogs', { address: [A, B] })],
  ['logs of one more', toA, call('eth_getLogs', { address: [A, B] }), 'address'],
  ['logs of every contract', toA, call('eth_getLogs', { fromBlock: '0x0' }), 'address'],
  ['logs of an empty list, which means every contract', toA, call('eth_getLogs', { address: [] }), 'address'],
  ['logs of null, which means every contract', toA, call('eth_getLogs', { address: null }), 'address'],
  [
    'logs with a long s in the name, as Go folds it',
    toA,
    call('eth_getLogs', { address: A, 'addre\u017f\u017f': B }),
    'address',
  ],
  ['a filter of every contract', toA, call('eth_newFilter', {}), 'address'],
  ['a subscription to logs of a listed contract', toA, call('eth_subscribe', 'logs', { address: A })],
  ['a subscription to every log', toA, call('eth_subscribe', 'logs'), 'address'],
  ['a subscription to heads', toA, call('eth_subscribe', 'newHeads')],
  [
    'a simulation of another contract',
    toA,
    call('eth_simulateV1', { blockStateCalls: [{ calls: [{ to: A }, { to: B }] }] }),
    'address',
  ],
  [
    'a simulation that changes the state',
    toA,
    call('eth_simulateV1', { blockStateCalls: [{ stateOverrides: {}, calls: [{ to: A }] }] }),
    'address',
  ],
  ['an operation of another account', toA, call('eth_sendUserOperation', { sender: B }, A), 'address'],
  ['an operation of a listed account', toA, call('eth_sendUserOperation', { sender: A }, B)],
  ['an estimate of a listed account', toA, call('eth_estimateUserOperationGas', { sender: A }, B, null)],
  [
    'an estimate with code of its own at a listed account',
    toA,
    call('eth_estimateUserOperationGas', { sender: A }, B, { [A]: { code: '0x00' } }),
    'address',
  ],
  [
    "another contract's code for the account of an operation",
    toA,
    call('eth_estimateUserOperationGas', { sender: A, eip7702auth: { address: B } }, B),
    'address',
  ],
  [
    "a call with another contract's code for an account",
    toA,
    call('eth_call', { to: A, authorizationList: [{ address: A }, { ADDRESS: B }] }, 'latest'),
    'address',
  ],
  ['the same in an estimate', toA, call('eth_estimateGas', { to: A, AuthorizationList: { address: B } }), 'address'],
  ['a call with code of a listed one', toA, call('eth_call', { to: A, authorizationList: [{ address: A }] }, 'latest')],
  ['a call with code that cannot be told', toA, call('eth_call', { to: A, authorizationList: [{}] }), 'address'],
  ['a call with no code', toA, call('eth_call', { to: A, authorizationList: null }, 'latest')],
  [
    'a simulation with code of another',
    toA,
    call('eth_simulateV1', { blockStateCalls: [{ calls: [{ to: A, authorizationList: [{ address: B }] }] }] }),
    'address',
  ],
  ['a transaction that cannot be read', toA, call('eth_sendRawTransaction', '0x02'), 'address'],
  ['a block', toA, call('eth_getBlockByNumber', '0x1', false)],
  ['a filter of pending transactions', toA, call('eth_newPendingTransactionFilter')],
  ['a subscription to them', toA, call('eth_subscribe', 'newPendingTransactions')],
  ["a method of an operator's own list", toA, call('trace_call', { to: A }), 'address'],
  ['a name that every object has', toA, call('constructor'), 'address'],
  // Several lists.
  [
    'all lists agree',
    { ...toA, methods: ['eth_call'], origins: [SITE], networks: ['mainnet'] },
    { origin: SITE, ...call('eth_call', { to: A }) },
  ],
  [
    'only the origin is wrong',
    { ...toA, origins: [SITE] },
    { origin: 'https://evil.org', ...call('eth_call', { to: A }) },
    'origin',
  ],
  ['only the method is wrong', { ...toA, methods: ['eth_call'] }, call('eth_getBalance', A), 'method'],
  ['only the address is wrong', { ...toA, methods: ['eth_call'] }, call('eth_call', { to: B }), 'address'],
  // Stored files and sockets.
  ['files without a list', { methods: [] }, { door: 'storage', actions: ['write', 'pin'] }],
  ['reading', { storage: ['read'] }, { door: 'storage', actions: ['read'] }],
  ['writing', { storage: ['read'] }, { door: 'storage', actions: ['write'] }, 'storage'],
  ['writing that also pins', { storage: ['write'] }, { door: 'storage', actions: ['write', 'pin'] }, 'storage'],
  ['no files at all', { storage: [] }, { door: 'storage', actions: ['read'] }, 'storage'],
  ['what needs nothing', { storage: [] }, { door: 'storage', actions: [] }],
  ['files from another origin', { origins: [SITE] }, { door: 'storage', actions: ['read'], origin: 'null' }, 'origin'],
  ['a socket on another network', { networks: ['sepolia'] }, { door: 'socket' }, 'network'],
  ['a socket, whose requests say what they are', { methods: [] }, { door: 'socket' }],
];

const DEFAULTS = { door: 'chain', origin: undefined, network: 'mainnet', method: 'eth_chainId', params: [] };

const CASES = ROWS.map(([what, limits, use, kind]) => ({ what, limits, use, kind }));

test.each(CASES)('$what', ({ limits, use, kind }) => {
  expect(refusedBy(limits, { ...DEFAULTS, ...use } as Use)?.kind).toBe(kind);
});

test('every method of the chain service says where it names addresses', () => {
  const params = [{ sender: A }];
  const unknown = addressesIn('eth_unknown', params);
  expect(METHOD_NAMES.filter((method) => addressesIn(method, params) === unknown)).toEqual([]);
});

describe('four lists, of which each is absent, has a fitting second entry, or has none', () => {
  const LISTS = [
    ['origin', 'origins', ['https://other.org', SITE]],
    ['network', 'networks', ['sepolia', 'mainnet']],
    ['method', 'methods', ['eth_getCode', 'eth_call']],
    ['address', 'addresses', [B, A]],
  ] as const;
  const STATES = ['absent', 'fits', 'other', 'empty'] as const;
  const combinations = Array.from({ length: STATES.length ** LISTS.length }, (_, number) =>
    LISTS.map((list, i) => [list, STATES[Math.floor(number / STATES.length ** i) % STATES.length]!] as const),
  );

  test(`${combinations.length} combinations: all must agree, and one entry of each is enough`, () => {
    for (const combination of combinations) {
      const limits: Record<string, readonly string[]> = {};
      for (const [[, name, entries], state] of combination)
        if (state !== 'absent') limits[name] = state === 'fits' ? entries : entries.slice(0, state === 'other' ? 1 : 0);
      const [wrong] = combination.filter(([, state]) => state === 'other' || state === 'empty');
      const use = { ...DEFAULTS, origin: SITE, ...call('eth_call', { to: A }) } as Use;
      expect([limits, refusedBy(limits as KeyLimits, use)?.kind]).toEqual([limits, wrong?.[0][0]]);
    }
  });
});

test('a signed transaction is about its recipient', async () => {
  const kindOf = async (transaction: object) =>
    refusedBy(toA, { ...DEFAULTS, ...call('eth_sendRawTransaction', await signed(transaction)) } as Use)?.kind;
  expect(await kindOf({ to: A })).toBeUndefined();
  expect(await kindOf({ to: A, type: 'legacy' })).toBeUndefined();
  expect(await kindOf({ to: B })).toBe('address');
  expect(await kindOf({ data: '0x00' })).toBe('address');
  const authorizationList = (address: string) => [
    { address, chainId: 1, nonce: 0, r: `0x${'11'.repeat(32)}`, s: `0x${'22'.repeat(32)}`, yParity: 0 },
  ];
  for (const type of ['eip2930', 'eip1559']) {
    expect(await kindOf({ to: A, type })).toBeUndefined();
    expect(await kindOf({ to: B, type })).toBe('address');
  }
  const blobs = { type: 'eip4844', maxFeePerBlobGas: 1n, blobVersionedHashes: [`0x01${'00'.repeat(31)}`] };
  expect(await kindOf({ to: A, ...blobs })).toBeUndefined();
  expect(await kindOf({ to: B, ...blobs })).toBe('address');
  expect(await kindOf({ to: A, type: 'eip7702', authorizationList: authorizationList(A) })).toBeUndefined();
  expect(await kindOf({ to: A, type: 'eip7702', authorizationList: authorizationList(B) })).toBe('address');
});

test('a transaction of a million items is none, whatever they are', () => {
  const items = 1_000_000;
  const head = Buffer.from([0xfa, items >>> 16, (items >>> 8) & 255, items & 255]);
  for (const type of [[], [1], [2], [3], [4]])
    for (const item of [0xc0, 0x80, 0x01]) {
      const raw = `0x${Buffer.concat([Buffer.from(type), head, Buffer.alloc(items, item)]).toString('hex')}`;
      expect(refusedBy(toA, { ...DEFAULTS, ...call('eth_sendRawTransaction', raw) } as Use)?.kind).toBe('address');
    }
});

test('a refusal names what is not allowed, shortened if the caller made it long', () => {
  const what = (limits: KeyLimits, use: object) => refusedBy(limits, { ...DEFAULTS, ...use } as Use)?.what;
  expect(what({ methods: [] }, {})).toBe('call eth_chainId');
  expect(what({ networks: [] }, {})).toBe('be used on mainnet');
  expect(what({ origins: [] }, {})).toBe('be used without an origin');
  expect(what({ origins: [] }, { origin: 'x'.repeat(500) })).toBe(`be used from ${'x'.repeat(100)}`);
  expect(what(toA, call('eth_getCode', B))).toBe(`name the address ${B} (eth_getCode)`);
  expect(what(toA, call('eth_getCode'))).toBe('name the address null (eth_getCode)');
  expect(what(toA, call('eth_getLogs', {}))).toBe('ask for the logs of every address (eth_getLogs)');
  expect(what({ storage: [] }, { door: 'storage', actions: ['pin'] })).toBe('pin files');
});
