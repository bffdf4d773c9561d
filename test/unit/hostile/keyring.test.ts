import { type Json } from '@metamask/snaps-sdk';

import { InvalidParamsError, type KeysteadError, MethodNotSupportedError, NotFoundError } from '../../../src/errors';
import { dispatchKeyringRequest } from '../../../src/keyring/adapter';
import { startKeyring } from '../../helpers/simulated-snap';
import { SimulatedWallet } from '../../helpers/simulated-wallet';

/* Requests at the keyring door that must be refused: what the refusal names, and that nothing came of them. */

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const NOBODY = '7c507ff0-365f-4de0-8cd5-eb83c30ebda4';
const OTHER = '0x3535353535353535353535353535353535353535';
const MANY = 200_000;

type Refused = new (...args: never[]) => KeysteadError;

/** An externally owned account and a smart one, in a wallet. */
async function start() {
  const wallet = new SimulatedWallet();
  const { keyring, deps } = startKeyring({ wallet });
  const eoa = await keyring.createAccount({});
  const smart = await keyring.createAccount({ type: 'eip155:erc4337', chainId: 'eip155:1' });
  const before = JSON.stringify(wallet.state);
  wallet.calls.length = 0;
  const ask = async (method: string, params: unknown): Promise<unknown> =>
    dispatchKeyringRequest(keyring, { jsonrpc: '2.0', id: 1, method, params: params as Json & object }).catch(
      (error: unknown) => error,
    );
  return { wallet, deps, eoa, smart, before, ask };
}
type World = Awaited<ReturnType<typeof start>>;

type Case = readonly [what: string, method: string, params: (world: World) => unknown, kind: Refused, names: RegExp];

const creation = (what: string, options: unknown, names: RegExp): Case => [
  `options: ${what}`,
  'keyring_createAccount',
  () => ({ options }),
  InvalidParamsError,
  names,
];
const smart = (what: string, options: object, names: RegExp): Case =>
  creation(`a smart account with ${what}`, { type: 'eip155:erc4337', chainId: 'eip155:1', ...options }, names);

const CREATIONS: readonly Case[] = [
  ...['type', 'options', '__proto__', 'constructor', 'label', 'salt', 'address', 'PrivateKey'].map((name) =>
    creation(
      `an option called ${name}`,
      JSON.parse(`{"${name}": "x"}`),
      name === 'type' ? /^options\.type: must be/u : /^options\..*: is not a known field$/u,
    ),
  ),
  creation('a list', [], /^params\.options: /u),
  creation('null', null, /^params\.options: /u),
  creation('a text', 'eip155:eoa', /^params\.options: /u),
  creation('a type in capitals', { type: 'EIP155:EOA' }, /^options\.type: must be/u),
  creation('a type of another chain', { type: 'solana:data-account' }, /^options\.type: must be/u),
  creation('a type that is a list', { type: ['eip155:eoa'] }, /^options\.type: must be/u),
  creation('what MetaMask never sends', { metamask: { correlationId: 5 } }, /^options\.metamask\.correlationId: /u),
  creation('a key that is zero', { privateKey: `0x${'0'.repeat(64)}` }, /^options\.privateKey: must be a private key/u),
  creation('a key that is the order of the curve', { privateKey: `0x${ORDER}` }, /^options\.privateKey: must be/u),
  creation('a key above the order', { privateKey: `0x${'f'.repeat(64)}` }, /^options\.privateKey: must be/u),
  creation('a key with a capital prefix', { privateKey: KEY.replace('0x', '0X') }, /^options\.privateKey: must be/u),
  creation('a key without prefix', { privateKey: KEY.slice(2) }, /^options\.privateKey: must be/u),
  creation('a key one digit short', { privateKey: KEY.slice(0, -1) }, /^options\.privateKey: must be/u),
  creation('a key one digit long', { privateKey: `${KEY}0` }, /^options\.privateKey: must be/u),
  creation('a key and a line feed', { privateKey: `${KEY}\n` }, /^options\.privateKey: must be/u),
  creation('a key of other digits', { privateKey: `0x${'٣'.repeat(64)}` }, /^options\.privateKey: must be/u),
  creation('a key in a list', { privateKey: [KEY] }, /^options\.privateKey: must be/u),
  creation('a key as bytes', { privateKey: { 0: 1 } }, /^options\.privateKey: must be/u),
  creation('a recovery phrase', { privateKey: 'test '.repeat(12) }, /^options\.privateKey: must be/u),
  smart('no chain', { chainId: undefined }, /^options\.chainId: /u),
  smart('a chain that is not EVM', { chainId: 'solana:mainnet' }, /^options\.chainId: must be/u),
  smart('a chain of zero', { chainId: 'eip155:0' }, /^options\.chainId: must be/u),
  smart('a chain with leading zeros', { chainId: 'eip155:01' }, /^options\.chainId: must be/u),
  smart('a negative chain', { chainId: 'eip155:-1' }, /^options\.chainId: must be/u),
  smart('a chain of 2^256', { chainId: `eip155:${2n ** 256n}` }, /^options\.chainId: must be/u),
  smart('an entry point that has no accounts', { entryPointVersion: '0.5' }, /^options\.entryPointVersion: must be/u),
  smart('an entry point as a number', { entryPointVersion: 0.7 }, /^options\.entryPointVersion: must be/u),
  smart('an unknown kind', { kind: 'toString' }, /^options\.kind: must be/u),
  smart(
    'a kind of another entry point',
    { kind: 'safe-0.7', entryPointVersion: '0.8' },
    /^options\.entryPointVersion: must be 0\.7/u,
  ),
  smart('a negative index', { index: -1 }, /^options\.index: /u),
  smart('an index with a fraction', { index: 0.5 }, /^options\.index: /u),
  smart('an index that cannot be derived', { index: 2 ** 31 }, /^options\.index: /u),
  smart('an index that JSON does not keep', { index: 2 ** 60 }, /^options\.index: /u),
  smart('an index that is text', { index: '1' }, /^options\.index: /u),
  smart('an index and a key', { index: 1, privateKey: KEY }, /^options\.index: must be left out with privateKey/u),
  smart('a salt of 2^256', { salt: `0x1${'0'.repeat(64)}` }, /^options\.salt: must be/u),
  smart('a salt with leading zeros', { salt: '0x01' }, /^options\.salt: must be/u),
  smart('a salt that is a number', { salt: 1 }, /^options\.salt: must be/u),
  smart('a factory of its own', { factory: OTHER }, /^options\.factory: is not a known field$/u),
  smart(
    "a sponsor's key",
    { customVerifyingPaymasterSK: KEY },
    /^options\.customVerifyingPaymasterSK: is not a known field$/u,
  ),
];

const envelope = (what: string, change: object, names: RegExp, kind: Refused = InvalidParamsError): Case => [
  `a request with ${what}`,
  'keyring_submitRequest',
  ({ eoa }) => ({
    id: NOBODY,
    scope: 'eip155:1',
    account: eoa.id,
    origin: 'metamask',
    request: { method: 'personal_sign', params: ['0x6869', eoa.address] },
    ...change,
  }),
  kind,
  names,
];
const signing = (
  what: string,
  request: (world: World) => object,
  names: RegExp,
  kind: Refused = InvalidParamsError,
): Case => [
  `a request with ${what}`,
  'keyring_submitRequest',
  (world) => ({ id: NOBODY, scope: 'eip155:1', account: world.eoa.id, origin: 'metamask', request: request(world) }),
  kind,
  names,
];

const REQUESTS: readonly Case[] = [
  envelope('no id', { id: undefined }, /^params\.id: /u),
  envelope('a number for an id', { id: 1 }, /^params\.id: must be a UUID/u),
  envelope('no account', { account: undefined }, /^params\.account: /u),
  envelope('an address for an account', { account: OTHER }, /^params\.account: must be a UUID/u),
  envelope('an account that is not there', { account: NOBODY }, /account/u, NotFoundError),
  envelope('no scope', { scope: undefined }, /^params\.scope: /u),
  envelope('a scope that is a number', { scope: 1 }, /^params\.scope: /u),
  envelope('no origin', { origin: undefined }, /^params\.origin: /u),
  envelope('a member nobody knows', { approve: true }, /^params\.approve: is not a known field$/u),
  envelope('no request', { request: undefined }, /^params\.request: /u),
  envelope('a request that is a text', { request: 'personal_sign' }, /^params\.request: /u),
  envelope('a method that is a list', { request: { method: ['personal_sign'] } }, /^params\.request\.method: /u),
  envelope(
    'parameters that are a text',
    { request: { method: 'personal_sign', params: '0x' } },
    /^params\.request\.params: /u,
  ),
  envelope(
    'something beside the method',
    { request: { method: 'personal_sign', params: [], extra: 1 } },
    /^params\.request\.extra: is not a known field$/u,
  ),
  ...[
    'eth_sign',
    'eth_signTypedData',
    'eth_signTypedData_v3',
    'eth_decrypt',
    'eth_sendTransaction',
    'wallet_sendCalls',
    'toString',
    '__proto__',
    '',
    'PERSONAL_SIGN',
  ].map((method) =>
    envelope(
      `the method “${method}”`,
      { request: { method, params: [] } },
      /^request\.method: the account does not have/u,
      MethodNotSupportedError,
    ),
  ),
  ...['eth_prepareUserOperation', 'eth_patchUserOperation', 'eth_signUserOperation'].map((method) =>
    envelope(
      `${method} for an externally owned account`,
      { request: { method, params: [] } },
      /^request\.method: the account does not have/u,
      MethodNotSupportedError,
    ),
  ),
  signing(
    'the address of another account',
    ({ smart: { address } }) => ({ method: 'personal_sign', params: ['0x6869', address] }),
    /^address: must be the address of the account the request is for/u,
  ),
  signing(
    'an address of nobody',
    () => ({ method: 'personal_sign', params: ['0x6869', OTHER] }),
    /^address: must be the address of the account/u,
  ),
  signing(
    'typed data of another chain than the scope',
    ({ eoa: { address } }) => ({
      method: 'eth_signTypedData_v4',
      params: [
        address,
        {
          types: { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], A: [{ name: 'a', type: 'bool' }] },
          primaryType: 'A',
          domain: { chainId: 10 },
          message: { a: true },
        },
      ],
    }),
    /chainId: must be the chain of the scope/u,
  ),
  signing(
    'a transaction of another chain than the scope',
    ({ eoa: { address } }) => ({
      method: 'eth_signTransaction',
      params: [
        {
          type: '0x0',
          nonce: '0x0',
          gasPrice: '0x1',
          gasLimit: '0x5208',
          to: OTHER,
          value: '0x0',
          data: '0x',
          chainId: '0xa',
          from: address,
        },
      ],
    }),
    /chainId: must be the chain of the scope/u,
  ),
  [
    'a message for a contract that cannot verify it',
    'keyring_submitRequest',
    ({ smart: { id, address } }) => ({
      id: NOBODY,
      scope: 'eip155:1',
      account: id,
      origin: 'metamask',
      request: { method: 'personal_sign', params: ['0x6869', address] },
    }),
    MethodNotSupportedError,
    /cannot verify messages \(ERC-1271\)/u,
  ],
  [
    'a user operation on a chain that is not set up',
    'keyring_submitRequest',
    ({ smart: { id } }) => ({
      id: NOBODY,
      scope: 'eip155:1',
      account: id,
      origin: 'metamask',
      request: { method: 'eth_prepareUserOperation', params: [{ to: OTHER, value: '0x0', data: '0x' }] },
    }),
    InvalidParamsError,
    /^scope: must be a chain that is set up/u,
  ],
  [
    'a user operation on a chain that is not the account’s',
    'keyring_submitRequest',
    ({ smart: { id } }) => ({
      id: NOBODY,
      scope: 'eip155:10',
      account: id,
      origin: 'metamask',
      request: { method: 'eth_prepareUserOperation', params: [{ to: OTHER, value: '0x0', data: '0x' }] },
    }),
    InvalidParamsError,
    /^scope: must be one of the account's chains: eip155:1$/u,
  ],
];

const MANAGEMENT: readonly Case[] = [
  ...[
    'keyring_getAccount',
    'keyring_exportAccount',
    'keyring_getRequest',
    'keyring_approveRequest',
    'keyring_rejectRequest',
    'keyring_deleteAccount',
  ].flatMap((method): Case[] => [
    [`${method} without parameters`, method, () => undefined, InvalidParamsError, /^params: /u],
    [
      `${method} of what is no UUID`,
      method,
      () => ({ id: '../accounts' }),
      InvalidParamsError,
      /^params\.id: must be a UUID/u,
    ],
    [
      `${method} of a version 1 UUID`,
      method,
      () => ({ id: 'a2e8c4f0-0000-1000-8000-000000000000' }),
      InvalidParamsError,
      /^params\.id: must be a UUID/u,
    ],
  ]),
  ['keyring_getAccount of nobody', 'keyring_getAccount', () => ({ id: NOBODY }), NotFoundError, /account/u],
  ['keyring_exportAccount of nobody', 'keyring_exportAccount', () => ({ id: NOBODY }), NotFoundError, /account/u],
  [
    'keyring_listAccounts with parameters',
    'keyring_listAccounts',
    () => ({ all: true }),
    InvalidParamsError,
    /^params/u,
  ],
  [
    'keyring_filterAccountChains without chains',
    'keyring_filterAccountChains',
    ({ eoa }) => ({ id: eoa.id }),
    InvalidParamsError,
    /^params\.chains: /u,
  ],
  [
    'keyring_filterAccountChains with numbers',
    'keyring_filterAccountChains',
    ({ eoa }) => ({ id: eoa.id, chains: [1] }),
    InvalidParamsError,
    /^params\.chains\[0\]: /u,
  ],
  ...(['address', 'type', 'methods', 'scopes'] as const).map(
    (name): Case => [
      `keyring_updateAccount with another ${name}`,
      'keyring_updateAccount',
      ({ eoa, smart: other }) => ({ account: { ...eoa, [name]: other[name] } }),
      InvalidParamsError,
      new RegExp(name, 'u'),
    ],
  ),
  [
    'keyring_updateAccount with a secret in the options',
    'keyring_updateAccount',
    ({ eoa }) => ({ account: { ...eoa, options: { ...eoa.options, privateKey: KEY } } }),
    InvalidParamsError,
    /options/u,
  ],
  [
    'keyring_updateAccount of nobody',
    'keyring_updateAccount',
    ({ eoa }) => ({ account: { ...eoa, id: NOBODY } }),
    NotFoundError,
    /account/u,
  ],
  [
    'keyring_discoverAccounts at a negative index',
    'keyring_discoverAccounts',
    () => ({ scopes: ['eip155:1'], entropySource: 'x', groupIndex: -1 }),
    InvalidParamsError,
    /^groupIndex: must be a whole number/u,
  ],
  [
    'keyring_discoverAccounts at an index beyond derivation',
    'keyring_discoverAccounts',
    () => ({ scopes: ['eip155:1'], entropySource: 'x', groupIndex: 2 ** 31 }),
    InvalidParamsError,
    /^groupIndex: must be a whole number/u,
  ],
  [
    'keyring_discoverAccounts at no number',
    'keyring_discoverAccounts',
    () => ({ scopes: ['eip155:1'], entropySource: 'x', groupIndex: '0' }),
    InvalidParamsError,
    /^params\.groupIndex: /u,
  ],
  [
    'keyring_discoverAccounts on a chain of others',
    'keyring_discoverAccounts',
    () => ({ scopes: ['bip122:0'], entropySource: 'x', groupIndex: 0 }),
    InvalidParamsError,
    /scope/u,
  ],
  [
    'keyring_discoverAccounts on too many chains',
    'keyring_discoverAccounts',
    () => ({ scopes: Array.from({ length: MANY }, () => 'eip155:1'), entropySource: 'x', groupIndex: 0 }),
    InvalidParamsError,
    /^scopes: must be at most 100 chains$/u,
  ],
  ...[
    'keyring_',
    'keyring_listAccounts ',
    'Keyring_listAccounts',
    'toString',
    '__proto__',
    'constructor',
    'snap_getEntropy',
    'keyring_resolveAccountAddress',
  ].map(
    (method): Case => [
      `the method “${method}”`,
      method,
      () => undefined,
      MethodNotSupportedError,
      /^method: the keyring does not have/u,
    ],
  ),
];

describe('hostile requests at the keyring door', () => {
  it.each([...CREATIONS, ...REQUESTS, ...MANAGEMENT])('%s', async (_what, method, params, kind, names) => {
    const world = await start();
    const refusal = await world.ask(method, params(world));
    expect(refusal).toBeInstanceOf(kind);
    const { message, data } = refusal as KeysteadError;
    expect(message).toMatch(names);
    // No value of the request, and nothing of our inside.
    expect(message + JSON.stringify(data)).not.toContain(KEY.slice(2, 20));
    expect(message).not.toMatch(/undefined|\[object|is not a function|Cannot read/u);
    expect(JSON.stringify(world.wallet.state)).toBe(world.before);
    expect(world.wallet.calls).not.toContain('entropy');
    expect(world.wallet.calls).not.toContain('write');
  });
});

describe('unusual requests at the keyring door that are right', () => {
  const sign = async (change: (world: World) => object): Promise<unknown> => {
    const world = await start();
    return world.ask('keyring_submitRequest', {
      id: NOBODY,
      scope: '',
      account: world.eoa.id,
      origin: 'metamask',
      request: { method: 'personal_sign', params: ['0x6869', world.eoa.address] },
      ...change(world),
    });
  };

  it.each<[string, (world: World) => object]>([
    ['no scope, as MetaMask sends it', () => ({ scope: '' })],
    ['the scope of any chain', () => ({ scope: 'eip155:534352' })],
    ["a dapp's own spelling of a scope", () => ({ scope: 'eip155:0x1' })],
    ['an origin of a page', () => ({ origin: 'https://dapp.example' })],
    ['what later wallets add', () => ({ originMetadata: { any: ['thing'] } })],
    [
      'an address in lower case',
      ({ eoa }) => ({ request: { method: 'personal_sign', params: ['0x6869', eoa.address.toLowerCase()] } }),
    ],
    ['an id in capitals', () => ({ id: NOBODY.toUpperCase() })],
  ])('%s', async (_what, change) => {
    expect(await sign(change)).toMatchObject({
      pending: false,
      result: expect.stringMatching(/^0x[0-9a-f]{130}$/u) as string,
    });
  });

  it('deleting what is not there is no error', async () => {
    const { ask } = await start();
    expect(await ask('keyring_deleteAccount', { id: NOBODY })).toBeNull();
  });

  it('a hundred thousand chains are filtered', async () => {
    const { ask, eoa } = await start();
    const chains = Array.from({ length: MANY }, (_, index) => `eip155:${index + 1}`);
    expect(await ask('keyring_filterAccountChains', { id: eoa.id, chains })).toHaveLength(MANY);
  });
});
