import { InvalidParamsError, MethodNotSupportedError, NotFoundError } from '../../src/core/errors';
import { type Case, describeRefusals, KEY, MANY, NOBODY, start } from './keyring-handler';

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
      `${method} with an id that is not a UUID`,
      method,
      () => ({ id: '../accounts' }),
      InvalidParamsError,
      /^params\.id: must be a version 4 UUID/u,
    ],
    [
      `${method} with a version 1 UUID`,
      method,
      () => ({ id: 'a2e8c4f0-0000-1000-8000-000000000000' }),
      InvalidParamsError,
      /^params\.id: must be a version 4 UUID/u,
    ],
  ]),
  ['keyring_getAccount of an unknown account', 'keyring_getAccount', () => ({ id: NOBODY }), NotFoundError, /account/u],
  [
    'keyring_exportAccount of an unknown account',
    'keyring_exportAccount',
    () => ({ id: NOBODY }),
    NotFoundError,
    /account/u,
  ],
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
  ...(['address', 'type', 'methods', 'scopes'] as const).map((name): Case => [
    `keyring_updateAccount with another ${name}`,
    'keyring_updateAccount',
    ({ eoa, smart: other }) => ({ account: { ...eoa, [name]: other[name] } }),
    InvalidParamsError,
    new RegExp(name, 'u'),
  ]),
  [
    'keyring_updateAccount with a secret in the options',
    'keyring_updateAccount',
    ({ eoa }) => ({ account: { ...eoa, options: { ...eoa.options, privateKey: KEY } } }),
    InvalidParamsError,
    /options/u,
  ],
  [
    'keyring_updateAccount of an unknown account',
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
    'keyring_discoverAccounts at an index that is not a number',
    'keyring_discoverAccounts',
    () => ({ scopes: ['eip155:1'], entropySource: 'x', groupIndex: '0' }),
    InvalidParamsError,
    /^params\.groupIndex: /u,
  ],
  [
    'keyring_discoverAccounts on a chain of another namespace',
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
    /^scopes: must contain at most 100 chains$/u,
  ],
  ...[
    'keyring_',
    'keyring_listAccounts ',
    'Keyring_listAccounts',
    'toString',
    '__proto__',
    'constructor',
    'snap_getEntropy',
  ].map((method): Case => [
    `the method “${method}”`,
    method,
    () => undefined,
    MethodNotSupportedError,
    /^method: the keyring does not support/u,
  ]),
];

describeRefusals(MANAGEMENT);

describe('unusual but valid requests at the keyring handler', () => {
  it('deleting an unknown account is not an error', async () => {
    const { ask } = await start();
    expect(await ask('keyring_deleteAccount', { id: NOBODY })).toBeNull();
  });

  it('a hundred thousand chains are filtered', async () => {
    const { ask, eoa } = await start();
    const chains = Array.from({ length: MANY }, (_, index) => `eip155:${index + 1}`);
    expect(await ask('keyring_filterAccountChains', { id: eoa.id, chains })).toHaveLength(MANY);
  });
});
