import { InvalidParamsError, MethodNotSupportedError, NotFoundError } from '../../src/core/errors';
import { type Case, describeRefusals, NOBODY, OTHER, type Refused, start, type World } from './keyring-handler';

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
  envelope('a number for an id', { id: 1 }, /^params\.id: must be a version 4 UUID/u),
  envelope('no account', { account: undefined }, /^params\.account: /u),
  envelope('an address for an account', { account: OTHER }, /^params\.account: must be a version 4 UUID/u),
  envelope('an account that is not there', { account: NOBODY }, /account/u, NotFoundError),
  envelope('no scope', { scope: undefined }, /^params\.scope: /u),
  envelope('a scope that is a number', { scope: 1 }, /^params\.scope: /u),
  envelope('an origin that is no text', { origin: 7 }, /^params\.origin: must be a string$/u),
  envelope('an unknown member', { approve: true }, /^params\.approve: is not a known field$/u),
  envelope('no request', { request: undefined }, /^params\.request: /u),
  envelope('a request that is a text', { request: 'personal_sign' }, /^params\.request: /u),
  envelope('a method that is a list', { request: { method: ['personal_sign'] } }, /^params\.request\.method: /u),
  envelope(
    'parameters that are a string',
    { request: { method: 'personal_sign', params: '0x' } },
    /^params\.request\.params: /u,
  ),
  envelope(
    'an extra member beside the method',
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
      /^request\.method: the account does not support/u,
      MethodNotSupportedError,
    ),
  ),
  ...['eth_prepareUserOperation', 'eth_patchUserOperation', 'eth_signUserOperation'].map((method) =>
    envelope(
      `${method} for an externally owned account`,
      { request: { method, params: [] } },
      /^request\.method: the account does not support/u,
      MethodNotSupportedError,
    ),
  ),
  signing(
    'the address of another account',
    ({ smart: { address } }) => ({ method: 'personal_sign', params: ['0x6869', address] }),
    /^address: must be the address of the account that the request is for/u,
  ),
  signing(
    'an unknown address',
    () => ({ method: 'personal_sign', params: ['0x6869', OTHER] }),
    /^address: must be the address of the account/u,
  ),
  signing(
    'typed data for another chain than the scope',
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
    /chainId: must be \d+, the chain of the request/u,
  ),
  signing(
    'a transaction for another chain than the scope',
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
    /chainId: must be \d+, the chain of the request/u,
  ),
  [
    'a message for a contract that cannot verify signatures',
    'keyring_submitRequest',
    ({ smart: { id, address } }) => ({
      id: NOBODY,
      scope: 'eip155:1',
      account: id,
      origin: 'metamask',
      request: { method: 'personal_sign', params: ['0x6869', address] },
    }),
    MethodNotSupportedError,
    /cannot verify message signatures \(ERC-1271\)/u,
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
    /^scope: must be a network that is set up/u,
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

describeRefusals(REQUESTS);

describe('unusual but valid requests at the keyring handler', () => {
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
    ['an origin of a page', () => ({ origin: 'https://dapp.example' })],
    ['no origin, as wallets with an old platform send it', () => ({ origin: undefined })],
    ['no claim of the dapp about itself', () => ({ originMetadata: null })],
    [
      "a dapp's claim about itself",
      () => ({ originMetadata: { transport: 'sdk', selfReportedOrigin: 'https://dapp.example' } }),
    ],
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
});
