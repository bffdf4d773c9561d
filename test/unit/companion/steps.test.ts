import { addAccounts, missing, searchAccounts } from '../../../src/companion/model/recover';
import { setUpDevnet } from '../../../src/companion/model/set-up';
import { SnapClient } from '../../../src/companion/model/snap-client';
import { type Account, type Devnet } from '../../../src/companion/model/types';

type Request = { readonly method: string; readonly params?: unknown };

/** A snap in a wallet, both with fixed answers, and a record of the requests to them. */
function recordingClient(answers: Readonly<Record<string, (params: never) => unknown>> = {}) {
  const asked: Request[] = [];
  const request = <T>(how: string, params?: unknown): Promise<T> => {
    const { request: inner = { method: how, params } } = (params ?? {}) as { readonly request?: Request };
    asked.push(inner);
    return Promise.resolve((answers[inner.method]?.(inner.params as never) ?? null) as T);
  };
  const wallet = {
    name: 'Wallet',
    rdns: 'io.metamask.flask',
    isSimulated: false,
    provider: { request: () => Promise.resolve(null) },
    request,
  };
  return { asked, client: new SnapClient(wallet, 'npm:keystead') };
}

const CHAIN = 'eip155:31337';

describe('recover', () => {
  const chains = [{ chainId: CHAIN, rpcUrl: 'http://localhost:1' }] as const;
  /** A snap whose nodes report these indexes as used, for every kind of account. */
  const clientWithUsed = (isUsed: (index: number) => boolean) =>
    recordingClient({
      keystead_discoverAccounts: ({ groupIndex: index }: { readonly groupIndex: number }) =>
        ['', "4337'/7'/", "4337'/7'/1'/", "4337'/8'/", "4337'/9'/"].flatMap((kind) =>
          isUsed(index) ? [{ scopes: [CHAIN], derivationPath: `m/${kind}${index}'` }] : [],
        ),
    });
  const accountOf = (type: 'eip155:eoa' | 'eip155:erc4337', options: Account['options'], scopes: string[]): Account =>
    ({ id: '', address: '0x', type, options, scopes, methods: [] }) as unknown as Account;

  it('finds accounts of every kind, including Safes, and creates the selected ones', async () => {
    const { asked, client } = clientWithUsed((index) => index === 1);
    const search = await searchAccounts(client, chains);
    expect(search).toMatchObject({ looked: 5, isCutOff: false });
    expect(search.used.map(({ name }) => name)).toEqual([
      'Keystead 2',
      'Smart account 2',
      'Safe 2',
      'Smart account 2 (0.8)',
      'Smart account 2 (0.9)',
    ]);
    asked.length = 0;
    await addAccounts(client, search.used, []);
    const smart = { type: 'eip155:erc4337', chainId: CHAIN, index: 1 };
    expect(asked).toEqual(
      [
        // Externally owned accounts are created in order, so the first is created too.
        { type: 'eip155:eoa' },
        { type: 'eip155:eoa' },
        { ...smart, kind: 'simple-account-0.7' },
        { ...smart, kind: 'safe-0.7' },
        { ...smart, kind: 'simple-account-0.8' },
        { ...smart, kind: 'simple-account-0.9' },
      ].map((options) => ({ method: 'keyring_createAccount', params: { options } })),
    );
  });

  it('leaves out existing accounts, unless they were used on more chains', async () => {
    const { client } = clientWithUsed((index) => index === 0);
    const { used: found } = await searchAccounts(client, chains);
    const accounts = [
      accountOf('eip155:eoa', { index: 0 }, ['eip155:0']),
      accountOf('eip155:erc4337', { index: 0, kind: 'simple-account-0.7' }, [CHAIN]),
      accountOf('eip155:erc4337', { index: 0, kind: 'safe-0.7' }, ['eip155:1']),
      accountOf('eip155:erc4337', { index: 1, kind: 'simple-account-0.8' }, [CHAIN]),
    ];
    expect(missing(found, accounts).map(({ name }) => name)).toEqual([
      'Safe 1',
      'Smart account 1 (0.8)',
      'Smart account 1 (0.9)',
    ]);
  });

  it('stops if a node reports every account as used, or none, and can be continued', async () => {
    const all = clientWithUsed(() => true);
    const first = await searchAccounts(all.client, chains);
    expect(first).toMatchObject({ looked: 10, isCutOff: true });
    const second = await searchAccounts(all.client, chains, first);
    expect(second).toMatchObject({ looked: 20, isCutOff: true });
    expect(second.used).toHaveLength(100);
    expect(await searchAccounts(clientWithUsed(() => false).client, chains)).toEqual({
      used: [],
      looked: 3,
      isCutOff: false,
    });
  });
});

describe('setUpDevnet', () => {
  const storage = { url: 'http://127.0.0.1:5001', key: 'key', secret: 'secret' };
  const chain = {
    chainId: CHAIN,
    name: 'Devnet',
    rpcUrl: 'http://127.0.0.1:8545/key',
    bundlerUrl: 'http://127.0.0.1:4337',
  } as const;
  const devnet: Devnet = { snapId: 'local:', executorUrl: '', chain, storage };

  it.each([
    ['nothing', { chains: [], storage: null }, ['keystead_setChain', 'wallet_addEthereumChain', 'keystead_setStorage']],
    ['the storage', { chains: [], storage }, ['keystead_setChain', 'wallet_addEthereumChain']],
    ['the chain', { chains: [chain], storage: null }, ['wallet_addEthereumChain', 'keystead_setStorage']],
  ])('does the remaining steps where %s is set up', async (_what, known, methods) => {
    const { asked, client } = recordingClient();
    await setUpDevnet(client, devnet, known);
    expect(asked.map(({ method }) => method)).toEqual(methods);
  });

  it('tells the snap what the network and its coin are called', async () => {
    const { asked, client } = recordingClient();
    await setUpDevnet(client, devnet, { chains: [], storage });
    const { chainId, rpcUrl, bundlerUrl } = chain;
    expect(asked[0]?.params).toEqual({ chainId, rpcUrl, bundlerUrl, name: 'Devnet', symbol: 'ETH' });
  });
});
