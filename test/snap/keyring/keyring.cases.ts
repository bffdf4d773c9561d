import { expect } from '@jest/globals';
import { type KeyringAccount, KeyringAccountStruct } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { is } from '@metamask/superstruct';

import { useEmptiedSnap } from '../../support/wallet/emptied';
import { installKeystead, walletError } from '../../support/wallet/installed';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const KEY_ADDRESS = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const NO_ACCOUNT = '11111111-1111-4111-8111-111111111111';
const CORRELATION = '22222222-2222-4222-8222-222222222222';

const start = useEmptiedSnap(installKeystead);

describe('keyring_createAccount', () => {
  it('creates derived accounts in sequence, and announces each', async () => {
    const { create, call, told } = await start();
    const first = await create();
    const second = await create({ type: 'eip155:eoa' });
    expect(is(first, KeyringAccountStruct)).toBe(true);
    expect(first).toMatchObject({
      type: 'eip155:eoa',
      scopes: ['eip155:0'],
      methods: ['personal_sign', 'eth_signTransaction', 'eth_signTypedData_v4'],
      options: { entropy: { type: 'custom' }, exportable: true, index: 0 },
    });
    expect(second.options.index).toBe(1);
    expect(second.address).not.toBe(first.address);
    expect((await call('keyring_listAccounts')).result).toEqual([first, second]);
    expect(told).toEqual([
      { method: 'notify:accountCreated', params: { account: first, accountNameSuggestion: 'Keystead 1' } },
      { method: 'notify:accountCreated', params: { account: second, accountNameSuggestion: 'Keystead 2' } },
    ]);
  });

  it('imports a private key, warns that the recovery phrase does not cover it, and keeps the key out of the account', async () => {
    const { create, told } = await start();
    const account = await create({ type: 'eip155:eoa', privateKey: KEY });
    expect(account.address).toBe(KEY_ADDRESS);
    expect(account.options).toEqual({ entropy: { type: 'private-key' }, exportable: true });
    expect(JSON.stringify([account, told])).not.toContain(KEY.slice(2));
  });

  it('returns the same account for the same key, without asking again', async () => {
    const { create, call, told } = await start();
    const account = await create({ privateKey: KEY });
    const again = await call('keyring_createAccount', {
      options: { privateKey: KEY.toUpperCase().replace('0X', '0x') },
    });
    expect(again.result).toEqual(account);
    expect((await call<KeyringAccount[]>('keyring_listAccounts')).result).toHaveLength(1);
    expect(told.map(({ params }) => params.account)).toEqual([account, account]);
  });

  it('recognizes an exported derived key as its existing account', async () => {
    const { create, send, call } = await start();
    const derived = await create();
    const request = send('keyring_exportAccount', { id: derived.id });
    await (await request.getInterface()).ok();
    const { privateKey } = (await request).response.result as { privateKey: string };
    expect((await call('keyring_createAccount', { options: { privateKey } })).result).toEqual(derived);
  });

  it('returns the correlation id and does not store it', async () => {
    const { call, told } = await start();
    const { result } = await call('keyring_createAccount', { options: { metamask: { correlationId: CORRELATION } } });
    expect(told[0]?.params.metamask).toEqual({ correlationId: CORRELATION });
    expect(JSON.stringify([result, (await call('keyring_listAccounts')).result])).not.toContain(CORRELATION);
  });

  it('stores nothing of an account that the wallet rejects', async () => {
    let refuses = true;
    const { call, create } = await start({
      manageAccounts: () => {
        if (refuses) throw walletError('User denied account creation');
        return null;
      },
    });
    const { error } = await call('keyring_createAccount', { options: {} });
    expect(error).toMatchObject({
      code: -32003,
      message: 'The wallet did not add the account: User denied account creation',
    });
    expect((await call('keyring_listAccounts')).result).toEqual([]);
    refuses = false;
    expect((await create()).options.index).toBe(0);
  });

  it('asks before an import, and stores nothing if the user rejects', async () => {
    const { send, call, told } = await start();
    const request = send('keyring_createAccount', { options: { privateKey: KEY } });
    await (await request.getInterface()).cancel();
    expect((await request).response.error).toMatchObject({ code: 4001, data: { code: 'user-rejected' } });
    expect((await call('keyring_listAccounts')).result).toEqual([]);
    expect(told).toEqual([]);
  });

  it.each<[string, Json, RegExp]>([
    ['an unknown option', { salt: '0x1' }, /^options.salt: is not a known field$/u],
    ['another account type', { type: 'bip122:p2wpkh' }, /^options.type: /u],
    ['a short key', { privateKey: '0x1234' }, /^options.privateKey: must be a private key/u],
    ['a key of zero', { privateKey: `0x${'00'.repeat(32)}` }, /^options.privateKey: must be a private key/u],
    [
      'a key that is the order of the curve',
      { privateKey: '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141' },
      /^options.privateKey: must be/u,
    ],
    ['a key without prefix', { privateKey: KEY.slice(2) }, /^options.privateKey: must be/u],
  ])('refuses %s and creates nothing', async (_what, options, message) => {
    const { call, told } = await start();
    const { error } = await call('keyring_createAccount', { options });
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain(KEY.slice(2, 20));
    expect(told).toEqual([]);
    expect((await call('keyring_listAccounts')).result).toEqual([]);
  });

  it('creates one account for each of ten concurrent requests', async () => {
    const { call } = await start();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call<KeyringAccount>('keyring_createAccount', { options: {} })),
    );
    const indices = answers.map(({ result }) => result?.options.index as number).sort((a, b) => a - b);
    expect(indices).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await call<KeyringAccount[]>('keyring_listAccounts')).result).toHaveLength(10);
  });
});

describe('the other account operations', () => {
  it('keyring_getAccount returns the account, or reports that it does not exist', async () => {
    const { create, call } = await start();
    const account = await create();
    expect((await call('keyring_getAccount', { id: account.id })).result).toEqual(account);
    expect((await call('keyring_getAccount', { id: NO_ACCOUNT })).error).toMatchObject({
      code: -32001,
      message:
        'account: no Keystead account has this id. If the account was removed, create it again: it has the same id then.',
    });
  });

  it('keyring_filterAccountChains keeps the EVM chains', async () => {
    const { create, call } = await start();
    const { id } = await create();
    const chains = [
      'eip155:1',
      'eip155:8453',
      'solana:mainnet',
      'bip122:000000000019d6689c085ae165831e93',
      'eip155:x',
      '',
      'eip155:01',
    ];
    expect((await call('keyring_filterAccountChains', { id, chains })).result).toEqual(['eip155:1', 'eip155:8453']);
    expect((await call('keyring_filterAccountChains', { id: NO_ACCOUNT, chains })).error?.code).toBe(-32001);
  });

  it('keyring_updateAccount changes only the label', async () => {
    const { create, call, told } = await start();
    const account = await create();
    const labelled = { ...account, options: { ...account.options, label: 'Savings' } };
    expect((await call('keyring_updateAccount', { account: labelled })).result).toBeNull();
    expect((await call('keyring_getAccount', { id: account.id })).result).toEqual(labelled);
    expect(told.at(-1)).toEqual({ method: 'notify:accountUpdated', params: { account: labelled } });
    expect((await call('keyring_updateAccount', { account })).result).toBeNull();
    expect((await call('keyring_getAccount', { id: account.id })).result).toEqual(account);
  });

  it.each<[string, (account: KeyringAccount) => Record<string, Json>, string]>([
    ['address', () => ({ address: KEY_ADDRESS }), 'account.address'],
    ['methods', () => ({ methods: ['eth_sign'] }), 'account.methods'],
    ['scopes', () => ({ scopes: ['eip155:1'] }), 'account.scopes'],
    ['type', () => ({ type: 'eip155:erc4337' }), 'account.type'],
    ['options', ({ options }) => ({ options: { ...options, index: 7 } }), 'account.options'],
    ['new options', ({ options }) => ({ options: { ...options, extra: 1 } }), 'account.options'],
    ['empty label', ({ options }) => ({ options: { ...options, label: '' } }), 'account.options.label'],
    [
      'label of half a surrogate pair',
      ({ options }) => ({ options: { ...options, label: 'a\ud83e' } }),
      'account.options.label',
    ],
    ['label with a line feed', ({ options }) => ({ options: { ...options, label: 'a\nb' } }), 'account.options.label'],
  ])('keyring_updateAccount refuses a changed %s', async (_what, change, field) => {
    const { create, call, told } = await start();
    const account = await create();
    const { error } = await call('keyring_updateAccount', { account: { ...account, ...change(account) } });
    expect(error).toMatchObject({ code: -32602, data: { field } });
    expect((await call('keyring_getAccount', { id: account.id })).result).toEqual(account);
    expect(told).toHaveLength(1);
  });

  it('keyring_updateAccount is undone if the wallet rejects it', async () => {
    const { create, call } = await start({
      manageAccounts: ({ method }) => {
        if (method === 'notify:accountUpdated') throw walletError('no');
        return null;
      },
    });
    const account = await create();
    const { error } = await call('keyring_updateAccount', {
      account: { ...account, options: { ...account.options, label: 'Savings' } },
    });
    expect(error).toMatchObject({ code: -32003, message: 'The wallet did not update the account: no' });
    expect((await call('keyring_getAccount', { id: account.id })).result).toEqual(account);
  });

  it('keyring_deleteAccount succeeds when repeated', async () => {
    const { create, call, told } = await start();
    const first = await create();
    const second = await create();
    expect((await call('keyring_deleteAccount', { id: first.id })).result).toBeNull();
    expect((await call('keyring_deleteAccount', { id: first.id })).result).toBeNull();
    expect((await call('keyring_listAccounts')).result).toEqual([second]);
    expect(told.at(-1)).toEqual({ method: 'notify:accountDeleted', params: { id: first.id } });
    // A deleted account comes back unchanged.
    expect(await create()).toEqual(first);
  });

  it('keyring_deleteAccount keeps the account if the wallet keeps it', async () => {
    const { create, call } = await start({
      manageAccounts: ({ method }) => {
        if (method === 'notify:accountDeleted') throw walletError('not now');
        return null;
      },
    });
    const account = await create();
    expect((await call('keyring_deleteAccount', { id: account.id })).error?.message).toContain('not now');
    expect((await call('keyring_listAccounts')).result).toEqual([account]);
  });

  it('keyring_exportAccount returns the key only after the dialog', async () => {
    const { create, send } = await start();
    const { id } = await create({ privateKey: KEY });
    const refused = send('keyring_exportAccount', { id });
    await (await refused.getInterface()).cancel();
    expect((await refused).response.error).toMatchObject({ code: 4001 });
    const approved = send('keyring_exportAccount', { id });
    await (await approved.getInterface()).ok();
    expect((await approved).response.result).toEqual({ privateKey: KEY });
  });

  it('keyring_setSelectedAccounts accepts existing accounts, from MetaMask only', async () => {
    const { create, call } = await start();
    const [first, second] = [await create(), await create()];
    const accounts = [second.id, first.id];
    expect((await call('keyring_setSelectedAccounts', { accounts })).result).toBeNull();
    expect((await call('keyring_setSelectedAccounts', { accounts: [first.id, NO_ACCOUNT] })).error).toMatchObject({
      code: -32001,
      message:
        'params.accounts[1]: no Keystead account has this id. If the account was removed, create it again: it has the same id then.',
    });
    const asked = await call('keyring_setSelectedAccounts', { accounts }, 'http://localhost:8000');
    expect(asked.error).toMatchObject({ data: { code: 'unauthorized' } });
  });

  it('has no pending requests, because it answers each immediately', async () => {
    const { call } = await start();
    expect((await call('keyring_listRequests')).result).toEqual([]);
    for (const [method, params] of [
      ['keyring_getRequest', { id: NO_ACCOUNT }],
      ['keyring_approveRequest', { id: NO_ACCOUNT, data: {} }],
      ['keyring_rejectRequest', { id: NO_ACCOUNT }],
    ] as [string, Json][]) {
      expect((await call(method, params)).error).toMatchObject({ code: -32001, data: { code: 'not-found' } });
    }
  });
});

describe('keyring_discoverAccounts', () => {
  const wallet = (used: (address: string, chain: string) => boolean) => {
    let chain = '0x1';
    return {
      answer: ({ method, params }: { method: string; params?: unknown }): Json | undefined => {
        if (method === 'wallet_switchEthereumChain') {
          chain = (params as [{ chainId: string }])[0].chainId;
          return null;
        }
        if (method === 'eth_getTransactionCount') return used((params as [string])[0], chain) ? '0x5' : '0x0';
        return method === 'eth_getBalance' ? '0x0' : undefined;
      },
    };
  };
  const at = (groupIndex: Json, scopes = ['eip155:1', 'eip155:10']) => ({
    scopes,
    entropySource: 'primary',
    groupIndex,
  });

  it('finds the used indices, and the chains they were used on', async () => {
    const before = await start();
    await before.create();
    const second = await before.create();
    const { call, create } = await start(
      wallet((address, chain) => address.toLowerCase() === second.address.toLowerCase() && chain === '0xa'),
    );
    expect((await call('keyring_discoverAccounts', at(0))).result).toEqual([]);
    expect((await call('keyring_discoverAccounts', at(1))).result).toEqual([
      { type: 'bip44', scopes: ['eip155:10'], derivationPath: "m/1'" },
    ]);
    await create();
    expect(await create()).toEqual(second);
  });

  it('reports a chain that cannot be queried, instead of returning that nothing was used', async () => {
    const { call } = await start({
      answer: ({ method }) => {
        if (method.startsWith('eth_')) throw walletError('the node is down');
        return method === 'wallet_switchEthereumChain' ? null : undefined;
      },
    });
    expect((await call('keyring_discoverAccounts', at(0))).error?.message).toMatch(
      /could not look up 0x[0-9a-fA-F]{40} on eip155:1/u,
    );
  });

  describe('with parameters that are malformed', () => {
    it.each<[string, Json]>([
      ['a negative index', at(-1)],
      ['a fractional index', at(0.5)],
      ['a chain that is not EVM', at(0, ['solana:mainnet'])],
    ])('refuses %s', async (_what, params) => {
      const { call } = await start();
      expect((await call('keyring_discoverAccounts', params)).error?.code).toBe(-32602);
    });
  });
});

describe('who may call', () => {
  it.each(['https://metamask.io', 'https://example.org', 'http://localhost:8000', '', 'metamask.io', 'Metamask'])(
    'a production build allows "%s" nothing',
    async (origin) => {
      const { call } = await start();
      for (const method of [
        'keyring_listAccounts',
        'keyring_createAccount',
        'keyring_submitRequest',
        'keyring_exportAccount',
      ]) {
        expect((await call(method, { options: {} }, origin)).error).toMatchObject({ code: 4100 });
      }
    },
  );

  it('an unknown method is rejected by name', async () => {
    const { call } = await start();
    expect((await call('keyring_nothing')).error).toMatchObject({
      code: -32601,
      message: 'method: the keyring does not support "keyring_nothing"',
    });
  });

  it.each<[string, Json, RegExp]>([
    ['keyring_getAccount', {}, /^params.id: /u],
    ['keyring_getAccount', { id: 'x' }, /^params.id: /u],
    ['keyring_createAccount', {}, /^params.options: /u],
    ['keyring_createAccount', { options: {}, privateKey: KEY }, /^params.privateKey: is not a known field$/u],
    ['keyring_deleteAccount', { id: 5 }, /^params.id: /u],
    [
      'keyring_submitRequest',
      { id: NO_ACCOUNT, scope: '', account: NO_ACCOUNT, request: { params: [KEY] } },
      /^params.request.method: /u,
    ],
  ])('%s refuses a malformed request by field, without its values', async (method, params, message) => {
    const { call } = await start();
    const { error } = await call(method, params);
    expect(error?.code).toBe(-32602);
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain(KEY.slice(2, 20));
  });
});
