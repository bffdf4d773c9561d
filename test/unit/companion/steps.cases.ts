import { addAccounts, missing, searchAccounts } from '../../../src/companion/model/recover';
import { isNetworkSetUp, setUpNetwork, unusedStorage } from '../../../src/companion/model/set-up';
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
    isFlask: true,
    provider: { request: () => Promise.resolve(null) },
    request,
  };
  return { asked, client: new SnapClient(wallet, 'npm:keystead') };
}

const CHAIN = 'eip155:31337';
const RECOVERED = '0x29c7000000000000000000000000000000000001';

describe('recover', () => {
  const chains = [{ chainId: CHAIN, rpcUrl: 'http://localhost:1' }] as const;
  /** A snap whose nodes report these indexes as used, for every kind of account. */
  const clientWithUsed = (isUsed: (index: number) => boolean, recoveredAt?: number) =>
    recordingClient({
      keystead_findRecovered: ({ index }: { readonly index: number }) => ({
        found: index === recoveredAt ? [{ chainId: CHAIN, address: RECOVERED }] : [],
        unsearched: index === recoveredAt ? [CHAIN] : [],
      }),
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

  it('finds a Safe that a recovery gave to the phrase, and adds it with its address', async () => {
    const { asked, client } = clientWithUsed((index) => index === 0, 1);
    const { used, unsearched } = await searchAccounts(client, chains);
    expect(unsearched).toEqual([CHAIN]);
    const found = used.find(({ address }) => address === RECOVERED);
    expect(found).toEqual({ name: 'Safe 2 (29c7)', index: 1, kind: 'safe-0.7', chains: [CHAIN], address: RECOVERED });
    // The Safe that the same key makes itself is another one.
    const own = accountOf('eip155:erc4337', { index: 1, kind: 'safe-0.7' }, [CHAIN]);
    expect(missing([found!], [own])).toEqual([found]);
    expect(missing([found!], [{ ...own, address: RECOVERED }])).toEqual([]);
    await addAccounts(client, [found!], []);
    const options = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7', index: 1, address: RECOVERED };
    expect(asked.at(-1)).toEqual({ method: 'keyring_createAccount', params: { options } });
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
      unsearched: [],
      isCutOff: false,
    });
  });
});

describe('the devnet', () => {
  const storage = { url: 'http://127.0.0.1:5001', key: 'key', secret: 'secret' };
  const chain = {
    chainId: CHAIN,
    name: 'Devnet',
    rpcUrl: 'http://127.0.0.1:8545/key',
    bundlerUrl: 'http://127.0.0.1:4337',
  } as const;
  const devnet: Devnet = { snapId: 'local:', executorUrl: '', chain, storage };
  const { chainId, rpcUrl, bundlerUrl } = chain;

  it('is set up with one request, which says what the network and its coin are called', async () => {
    const { asked, client } = recordingClient();
    expect(await setUpNetwork(client, devnet)).toBe('Devnet is set up.');
    const params = { chainId, name: 'Devnet', symbol: 'ETH', rpcUrl, bundlerUrl };
    expect(asked).toEqual([{ method: 'keystead_setChain', params }]);
  });

  it('is set up without a bundler if it has none, and the page says what that means', async () => {
    const { asked, client } = recordingClient();
    const without = { ...devnet, chain: { chainId, name: 'Devnet', rpcUrl, paymasterUrl: 'http://127.0.0.1:5002' } };
    expect(await setUpNetwork(client, without)).toMatch(/^Devnet is set up\..*without a bundler/u);
    expect(asked[0]?.params).toEqual({ chainId, name: 'Devnet', symbol: 'ETH', rpcUrl });
  });

  it('counts as set up only with its present URL', () => {
    expect(isNetworkSetUp(devnet, [])).toBe(false);
    expect(isNetworkSetUp(devnet, [{ ...chain, rpcUrl: 'http://127.0.0.1:8545/old' }])).toBe(false);
    expect(isNetworkSetUp(devnet, [{ ...chain, chainId: 'eip155:1' }])).toBe(false);
    expect(isNetworkSetUp(devnet, [chain])).toBe(true);
  });

  it('offers its storage until the snap uses it, with its present key', () => {
    const { url, key } = storage;
    expect(unusedStorage(undefined, null)).toBeUndefined();
    expect(unusedStorage({ snapId: 'local:', executorUrl: '', chain }, null)).toBeUndefined();
    expect(unusedStorage(devnet, null)).toEqual(storage);
    expect(unusedStorage(devnet, { url, key: 'old' })).toEqual(storage);
    expect(unusedStorage(devnet, { url, key })).toBeUndefined();
  });
});
