import { EthErc4337AccountStruct, type KeyringAccount } from '@metamask/keyring-api';
import { is } from '@metamask/superstruct';
import { privateKeyToAddress } from 'viem/accounts';

import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { KINDS } from '../../../src/core/kinds';
import { type LocalServer, reply, serveJsonRpc } from '../../support/json-rpc-server';
import { textOf } from '../../support/screen-text';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { type Answer, installKeystead, type Keystead, walletError } from '../../support/wallet/installed';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const PAGE = 'http://localhost:8000';
const smart = (options: object = {}) => ({ type: 'eip155:erc4337', chainId: 'eip155:31337', ...options });

const start = useEmptiedSnap(installKeystead);

describe('keyring_createAccount for smart accounts', () => {
  const create = async ({ call }: Keystead, options: object): Promise<Answer<KeyringAccount>> =>
    call<KeyringAccount>('keyring_createAccount', { options: smart(options) });

  it('creates accounts of the requested version that MetaMask accepts', async () => {
    const keystead = await start();
    const { result: account } = await create(keystead, {});
    expect(is(account, EthErc4337AccountStruct)).toBe(true);
    expect(account).toMatchObject({
      type: 'eip155:erc4337',
      scopes: ['eip155:31337'],
      methods: ['eth_prepareUserOperation', 'eth_patchUserOperation', 'eth_signUserOperation'],
      options: {
        entropy: { type: 'custom' },
        exportable: true,
        index: 0,
        kind: 'simple-account-0.7',
        entryPointVersion: '0.7',
      },
    });
    const { owner } = account!.options as { owner: `0x${string}` };
    const kind = KINDS['simple-account-0.7'];
    expect(account!.address).toBe(kind.address({ factory: kind.factory, owner, salt: 0n }));
    const versions = ['0.6', '0.8'] as const;
    for (const entryPointVersion of versions)
      expect((await create(keystead, { entryPointVersion })).result?.options).toMatchObject({
        entryPointVersion,
        index: 0,
      });
    expect(keystead.told.map(({ params }) => params.accountNameSuggestion)).toEqual([
      'Smart account 1',
      'Smart account 1 (0.6)',
      'Smart account 1 (0.8)',
    ]);
  });

  it('creates the next one without an index, and the same one with the same options', async () => {
    const keystead = await start();
    const [first, second, third] = [await create(keystead, {}), await create(keystead, {}), await create(keystead, {})];
    expect([first, second, third].map(({ result }) => result?.options.index)).toEqual([0, 1, 2]);
    expect((await create(keystead, { index: 1 })).result).toEqual(second.result);
    expect((await create(keystead, { index: 1, chainId: '0x7a69' })).result).toEqual(second.result);
    const far = await create(keystead, { index: 7 });
    expect((await create(keystead, { index: 7 })).result).toEqual(far.result);
    expect((await create(keystead, { index: 7, salt: '0x0' })).result?.id).not.toBe(far.result?.id);
    expect((await keystead.call<KeyringAccount[]>('keyring_listAccounts')).result).toHaveLength(5);
  });

  it('has the same address on every chain: the account is announced on an additional chain', async () => {
    const keystead = await start();
    const { result: account } = await create(keystead, { index: 3 });
    const { result: widened } = await create(keystead, { index: 3, chainId: 'eip155:10' });
    expect(widened).toEqual({ ...account, scopes: ['eip155:31337', 'eip155:10'] });
    expect(keystead.told.map(({ method }) => method)).toEqual(['notify:accountCreated', 'notify:accountUpdated']);
    expect((await keystead.call<KeyringAccount[]>('keyring_listAccounts')).result).toEqual([widened]);
    const chains = { id: account!.id, chains: ['eip155:10', 'eip155:1'] };
    expect((await keystead.call('keyring_filterAccountChains', chains)).result).toEqual(['eip155:10']);
  });

  it('stays unchanged if the wallet rejects the change', async () => {
    let refusing = false;
    const keystead = await start({
      manageAccounts: ({ method }) => {
        if (refusing && method === 'notify:accountUpdated') throw walletError('not now');
        return null;
      },
    });
    const { result: account } = await create(keystead, { index: 0 });
    refusing = true;
    expect((await create(keystead, { index: 0, chainId: 'eip155:10' })).error?.message).toContain('not now');
    expect((await keystead.call<KeyringAccount[]>('keyring_listAccounts')).result).toEqual([account]);
  });

  it('accepts an imported owner with consent, and exports its key', async () => {
    const keystead = await start();
    const request = keystead.send('keyring_createAccount', { options: smart({ privateKey: KEY, salt: '0x2a' }) });
    const screen = await request.getInterface();
    expect(JSON.stringify(screen.content)).toContain('Not recoverable from your recovery phrase');
    await screen.ok();
    const { result: account } = (await request).response as Answer<KeyringAccount>;
    expect(account?.options).toMatchObject({ entropy: { type: 'private-key' }, owner: privateKeyToAddress(KEY) });
    const kind = KINDS['simple-account-0.7'];
    const { owner } = account!.options as { owner: `0x${string}` };
    expect(account!.address).toBe(kind.address({ factory: kind.factory, owner, salt: 42n }));
    const exported = keystead.send('keyring_exportAccount', { id: account!.id });
    await (await exported.getInterface()).ok();
    expect((await exported).response).toMatchObject({ result: { privateKey: KEY } });
  });

  it('creates a Safe on request, with its own key and address', async () => {
    const keystead = await start();
    const { result: safe } = await create(keystead, { kind: 'safe-0.7' });
    expect(is(safe, EthErc4337AccountStruct)).toBe(true);
    expect(safe).toMatchObject({
      methods: [
        'personal_sign',
        'eth_signTypedData_v4',
        'eth_prepareUserOperation',
        'eth_patchUserOperation',
        'eth_signUserOperation',
      ],
      options: { index: 0, kind: 'safe-0.7', entryPointVersion: '0.7' },
    });
    const kind = KINDS['safe-0.7'];
    const { owner } = safe!.options as { owner: `0x${string}` };
    expect(safe!.address).toBe(kind.address({ factory: kind.factory, owner, salt: 0n }));
    const { result: simple } = await create(keystead, { kind: 'simple-account-0.7', entryPointVersion: '0.7' });
    expect(simple?.options).toMatchObject({ index: 0, kind: 'simple-account-0.7' });
    expect(simple?.options.owner).not.toBe(owner);
    expect((await create(keystead, { kind: 'safe-0.7', index: 0 })).result).toEqual(safe);
    expect(keystead.told[0]?.params.accountNameSuggestion).toBe('Safe 1');
  });

  it('uses other keys than other kinds and externally owned accounts', async () => {
    const keystead = await start();
    const eoa = await keystead.create();
    const owners = [];
    for (const entryPointVersion of ['0.6', '0.7', '0.8'])
      owners.push((await create(keystead, { entryPointVersion, index: 0 })).result?.options.owner);
    expect(new Set([eoa.address, ...owners]).size).toBe(4);
  });

  describe('with options that are malformed', () => {
    it.each<[object, string]>([
      [{ chainId: undefined }, 'options.chainId: is missing'],
      [{ chainId: 'eip155:0' }, 'options.chainId: must be one EVM chain'],
      [{ chainId: 'eip155:01' }, 'options.chainId: must be one EVM chain'],
      [{ chainId: 31337 }, 'options.chainId: must be one EVM chain'],
      [{ chainId: '0x0' }, 'options.chainId: must be one EVM chain'],
      [{ entryPointVersion: '1.0' }, 'options.entryPointVersion: must be one of'],
      [{ kind: 'safe' }, 'options.kind: must be one of'],
      [
        { kind: 'safe-0.7', entryPointVersion: '0.8' },
        'options.entryPointVersion: must be 0.7 or omitted for this kind',
      ],
      [{ entryPointVersion: 0.7 }, 'options.entryPointVersion: must be one of'],
      [{ index: -1 }, 'options.index: must be'],
      [{ index: 1.5 }, 'options.index: must be'],
      [{ index: 2 ** 31 }, 'options.index: must be'],
      [{ index: 0, privateKey: KEY }, 'options.index: must be omitted if privateKey'],
      [{ salt: '0x00' }, 'options.salt: must be a hex quantity'],
      [{ salt: `0x1${'0'.repeat(64)}` }, 'options.salt: must be a hex quantity'],
      [{ privateKey: '0x12' }, 'options.privateKey: must be a private key'],
      [{ factory: `0x${'ab'.repeat(20)}` }, 'options.factory: is not a known field'],
      [{ type: 'eip155:erc7579' }, 'options.type: must be one of'],
    ])('refuses %j', async (options, sentence) => {
      const cleaned = JSON.parse(JSON.stringify(smart(options))) as Record<string, string>;
      const { call } = await start();
      const { error } = await call('keyring_createAccount', { options: cleaned });
      expect(error?.message).toContain(sentence);
      expect(error?.message).not.toContain(KEY);
      expect((await call('keyring_listAccounts')).result).toEqual([]);
    });
  });
});

describe('the chain configuration', () => {
  const servers: LocalServer[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  /** A combined node and bundler, with the methods needed to set up a chain. */
  async function serve(used: readonly string[] = []): Promise<string> {
    const answers: Record<string, (params: readonly unknown[]) => unknown> = {
      eth_chainId: () => '0x7a69',
      eth_supportedEntryPoints: () => [ENTRY_POINTS['0.6'], ENTRY_POINTS['0.7'], `0x${'e1'.repeat(20)}`],
      eth_getCode: ([address]) => (used.includes(String(address).toLowerCase()) ? '0x60' : '0x'),
      eth_getBalance: () => '0x0',
    };
    const server = await serveJsonRpc(({ id, method, params }, response) => {
      reply(response, { id, result: answers[method]?.(params) });
    });
    servers.push(server);
    return server.url;
  }
  const change = (url: string, more: object = {}) => ({
    chainId: 'eip155:31337',
    rpcUrl: url,
    bundlerUrl: url,
    ...more,
  });

  async function approve(keystead: Keystead, params: Record<string, string>, origin?: string) {
    const request = keystead.send('keystead_setChain', params, origin);
    const screen = await request.getInterface();
    const text = textOf(screen.content);
    await screen.ok();
    return { text, answer: (await request).response };
  }

  it('is shown before it is stored, and a change is shown as old and new', async () => {
    const keystead = await start();
    const [first, second] = [await serve(), await serve()];
    const { text, answer } = await approve(keystead, change(first));
    expect(text).toContain('Add network 31337');
    expect(text).toContain(first);
    expect(text).toContain('MetaMask');
    const stored = { ...change(first), entryPoint: ENTRY_POINTS['0.7'], entryPointVersion: '0.7' };
    expect(answer.result).toEqual(stored);
    expect((await keystead.call('keystead_getChains')).result).toEqual([stored]);

    const { text: changed } = await approve(keystead, change(second, { chainId: '0x7a69', entryPointVersion: '0.6' }));
    for (const part of ['Change network 31337', `Old ${first}`, `New ${second}`, 'Old 0.7', 'New 0.6'])
      expect(changed).toContain(part);
    expect((await keystead.call('keystead_getChains')).result).toEqual([
      { ...change(second), entryPoint: ENTRY_POINTS['0.6'], entryPointVersion: '0.6' },
    ]);
  });

  it('shows and stores what the network is called', async () => {
    const keystead = await start();
    const details = { name: 'Keystead devnet', symbol: 'KEY', explorerUrl: 'http://localhost:4000' };
    const { text, answer } = await approve(keystead, change(await serve(), details));
    for (const part of ['Network name', 'Currency symbol', 'Block explorer', ...Object.values(details)])
      expect(text).toContain(part);
    expect(answer.result).toMatchObject(details);
    expect((await keystead.call('keystead_getChains')).result).toMatchObject([details]);

    const { text: changed } = await approve(keystead, change(await serve(), { ...details, name: 'Ethereum' }));
    expect(changed).toContain('Old Keystead devnet');
    expect(changed).toContain('New Network 31337 (“Ethereum” is ignored: it resembles Ethereum (chain 1))');
  });

  it('stays unchanged if the user rejects', async () => {
    const keystead = await start();
    const url = await serve();
    const request = keystead.send('keystead_setChain', change(url));
    await (await request.getInterface()).cancel();
    expect((await request).response).toMatchObject({ error: { code: 4001 } });
    expect((await keystead.call('keystead_getChains')).result).toEqual([]);
  });

  it('is removed with consent, and removing it again is not an error', async () => {
    const keystead = await start();
    await approve(keystead, change(await serve()));
    const refused = keystead.send('keystead_removeChain', { chainId: 'eip155:31337' });
    await (await refused.getInterface()).cancel();
    expect((await refused).response).toMatchObject({ error: { code: 4001 } });
    const request = keystead.send('keystead_removeChain', { chainId: 'eip155:31337' });
    const screen = await request.getInterface();
    expect(JSON.stringify(screen.content)).toContain('Remove network 31337');
    await screen.ok();
    expect((await request).response).toMatchObject({ result: null });
    expect((await keystead.call('keystead_getChains')).result).toEqual([]);
    expect((await keystead.call('keystead_removeChain', { chainId: 'eip155:31337' })).result).toBeNull();
  });

  it('accepts a custom entry point if its version is given', async () => {
    const keystead = await start();
    const url = await serve();
    const entryPoint = `0x${'e1'.repeat(20)}`;
    const { error } = await keystead.call('keystead_setChain', change(url, { entryPoint }) as never);
    expect(error?.message).toBe(
      'params.entryPointVersion: is missing: it is required for an entry point that is not canonical',
    );
    const { answer } = await approve(keystead, change(url, { entryPoint, entryPointVersion: '0.8' }) as never);
    expect(answer.result).toMatchObject({ entryPoint, entryPointVersion: '0.8' });
  });

  describe('with parameters that are malformed', () => {
    it.each<[object, string]>([
      [{ chainId: 'eip155:0' }, 'params.chainId: must be one EVM chain'],
      [{ chainId: 1 }, 'params.chainId: must be one EVM chain'],
      [{ rpcUrl: 'http://node.example' }, 'params.rpcUrl: must be an https URL'],
      [{ bundlerUrl: 'https://user:pass@bundler.example' }, 'params.bundlerUrl: must be an https URL'],
      [{ bundlerUrl: 'https://192.168.0.1' }, 'params.bundlerUrl: must be an https URL'],
      [{ paymasterUrl: 'http://paymaster.example' }, 'params.paymasterUrl: must be an https URL'],
      [{ entryPoint: '0x12' }, 'params.entryPoint: must be an address'],
      [{ entryPoint: ENTRY_POINTS['0.9'], entryPointVersion: '0.8' }, 'params.entryPointVersion: must be 0.9'],
      [{ entryPoint: ENTRY_POINTS['0.6'], entryPointVersion: '0.7' }, 'params.entryPointVersion: must be 0.6'],
      [{ entryPointVersion: '0.5' }, 'params.entryPointVersion: must be one of'],
      [{ factory: 'x' }, 'params.factory: must be an address'],
      [{ paymasterContext: [] }, 'params.paymasterContext: must be'],
      [{ name: 'Dev\u202enet' }, 'params.name: must be 1 to 50 printable ASCII characters'],
      [{ symbol: '000' }, 'params.symbol: must be 1 to 11 ASCII letters'],
      [{ explorerUrl: 'http://explorer.example' }, 'params.explorerUrl: must be an https URL'],
      [{ sponsorKey: KEY }, 'params.sponsorKey: is not a known field'],
    ])('refuses %j', async (more, sentence) => {
      const { call } = await start();
      const { error } = await call('keystead_setChain', change('http://127.0.0.1:1', more) as never);
      expect(error?.message).toContain(sentence);
      expect((await call('keystead_getChains')).result).toEqual([]);
    });
  });

  it('is closed to other origins', async () => {
    const keystead = await start();
    for (const method of ['keystead_setChain', 'keystead_getChains', 'keystead_removeChain'])
      for (const origin of [PAGE, 'https://dapp.example'])
        expect((await keystead.call(method, { chainId: 'eip155:1' }, origin)).error).toMatchObject({ code: 4100 });
  });

  it('determines where smart accounts are discovered', async () => {
    const unused = ['eth_getTransactionCount', 'eth_getBalance'];
    const keystead = await start({ answer: ({ method }) => (unused.includes(method) ? '0x0' : undefined) });
    const { result: account } = await keystead.call<KeyringAccount>('keyring_createAccount', {
      options: smart({ entryPointVersion: '0.8', index: 2 }),
    });
    await approve(keystead, change(await serve([account!.address.toLowerCase()])));
    const discover = async (groupIndex: number) =>
      (await keystead.call('keyring_discoverAccounts', { scopes: ['eip155:31337'], entropySource: 'x', groupIndex }))
        .result;
    expect(await discover(2)).toEqual([{ type: 'bip44', scopes: ['eip155:31337'], derivationPath: "m/4337'/8'/2'" }]);
    expect(await discover(0)).toEqual([]);
  });
});
