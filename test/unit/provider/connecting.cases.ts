import { version } from '../../../package.json';
import { createKeysteadProvider, type KeysteadOptions } from '../../../src/provider';
import { openPage } from '../../support/page';
import { pageWallet } from '../../support/wallet/page-wallet';
import { ALICE, connected, eventsOf, failureOf, simulatedSnap, SNAP } from './connected';

describe('before the page is connected', () => {
  const unconnected = (options: KeysteadOptions = {}) => {
    const wallet = pageWallet('io.metamask.flask', { snap: simulatedSnap().snap });
    return { wallet, provider: createKeysteadProvider({ wallet: wallet.provider, ...options }) };
  };

  it('returns no accounts, no permissions, and the configured chain', async () => {
    const { wallet, provider } = unconnected({ chainId: 10 });
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
    expect(await provider.request({ method: 'wallet_getPermissions' })).toEqual([]);
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0xa');
    expect(new Set(wallet.methods())).toEqual(new Set(['wallet_getSnaps']));
  });

  it('is on the first chain of its nodes, else on mainnet', async () => {
    const node = { request: () => Promise.resolve(null) };
    expect(await unconnected({ nodes: { 137: node } }).provider.request({ method: 'eth_chainId' })).toBe('0x89');
    expect(await unconnected().provider.request({ method: 'eth_chainId' })).toBe('0x1');
  });

  it('rejects account methods with 4100 and chain methods with 4900', async () => {
    const { wallet, provider } = unconnected();
    const account = await failureOf(provider.request({ method: 'personal_sign', params: ['0x00', ALICE] }));
    expect([account.code, account.message]).toEqual([4100, expect.stringContaining('Call eth_requestAccounts first')]);
    expect((await failureOf(provider.request({ method: 'eth_blockNumber' }))).code).toBe(4900);
    expect(wallet.methods()).not.toContain('wallet_requestSnaps');
  });

  it('rejects connecting where there is no wallet', async () => {
    jest.useFakeTimers();
    const page = openPage();
    const provider = createKeysteadProvider();
    const connecting = failureOf(provider.request({ method: 'eth_requestAccounts' }));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await connecting).toMatchObject({
      code: 4900,
      message: expect.stringContaining('MetaMask Flask') as string,
    });
    const looking = provider.request({ method: 'eth_accounts' });
    await jest.advanceTimersByTimeAsync(1000);
    expect(await looking).toEqual([]);
    page.close();
    jest.useRealTimers();
  });
});

describe('connecting', () => {
  const fresh = (options: KeysteadOptions = {}, install?: () => unknown) => {
    const { snap } = simulatedSnap();
    const wallet = pageWallet('io.metamask.flask', { snap, ...(install && { install }) });
    return { wallet, provider: createKeysteadProvider({ wallet: wallet.provider, ...options }) };
  };
  const installsOf = (wallet: ReturnType<typeof pageWallet>) =>
    wallet.calls.filter(({ method }) => method === 'wallet_requestSnaps').map(({ params }) => params);

  it('installs the snap in a compatible version, and emits the changes', async () => {
    const { wallet, provider } = fresh();
    const events = eventsOf(provider);
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE]);
    expect(installsOf(wallet)).toEqual([{ [SNAP]: { version: `^${version}` } }]);
    expect(events).toEqual([
      ['connect', { chainId: '0x7a69' }],
      ['chainChanged', '0x7a69'],
      ['accountsChanged', [ALICE]],
    ]);
  });

  it.each(['keystead_setChain', 'wallet_addEthereumChain'])(
    '%s may come first and installs the snap too',
    async (method) => {
      const { wallet, provider } = fresh();
      expect(await provider.request({ method, params: [] } as never)).toBe(`${method} of the snap`);
      expect(installsOf(wallet)).toHaveLength(1);
      expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
    },
  );

  it('installs the snap and version of the options', async () => {
    const { wallet, provider } = fresh({ snapId: 'npm:other', version: '2.x' });
    await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] });
    expect(installsOf(wallet)).toEqual([{ 'npm:other': { version: '2.x' } }]);
  });

  it('requests a local snap only once, because wallets reinstall it each time', async () => {
    const { wallet, provider } = fresh({ snapId: 'local:http://localhost:8080' });
    await provider.request({ method: 'eth_requestAccounts' });
    await provider.request({ method: 'eth_requestAccounts' });
    expect(installsOf(wallet)).toEqual([{ 'local:http://localhost:8080': {} }]);
  });

  it.each([
    ['a rejection by the person', { code: 4001, message: 'User rejected the request.', data: { a: 1 } }],
    ['an error of the wallet', Object.assign(new Error('Failed to fetch'), { code: -32603 })],
  ])('passes on %s', async (_name, refusal) => {
    const { provider } = fresh({}, () => {
      throw refusal;
    });
    const { name: _class, message, ...plain } = await failureOf(provider.request({ method: 'eth_requestAccounts' }));
    expect({ ...plain, message }).toEqual({ ...refusal, message: refusal.message });
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
  });

  it.each([
    [
      'an error in the result',
      { [SNAP]: { error: { code: -32602, message: 'bad' } } },
      { code: -32602, message: 'bad' },
    ],
    ['a disabled snap', { [SNAP]: { enabled: false } }, { code: 4900, message: /is disabled in the wallet/u }],
    ['a blocked snap', { [SNAP]: { blocked: true } }, { code: 4900, message: /did not install npm:keystead/u }],
    ['an empty result', {}, { code: 4900, message: /did not install npm:keystead/u }],
  ])('rejects %s', async (_name, result, { code, message }) => {
    const error = await failureOf(fresh({}, () => result).provider.request({ method: 'eth_requestAccounts' }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('opens one dialog for two concurrent requests', async () => {
    const { wallet, provider } = fresh();
    const request = () => provider.request({ method: 'eth_requestAccounts' });
    expect(await Promise.all([request(), request()])).toEqual([[ALICE], [ALICE]]);
    expect(installsOf(wallet)).toHaveLength(1);
    const asked = wallet.calls.filter(({ params }) => JSON.stringify(params)?.includes('eth_requestAccounts'));
    expect(asked).toHaveLength(1);
  });

  it('installs in the wallet that the page chooses', async () => {
    const page = openPage();
    const flask = pageWallet('io.metamask.flask');
    const other = pageWallet('org.other', { snap: simulatedSnap().snap });
    page.announce(flask);
    page.announce(other);
    const provider = createKeysteadProvider({
      chooseWallet: (wallets) => wallets.find(({ info }) => info.rdns === 'org.other') ?? wallets[0],
    });
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE]);
    expect(flask.methods()).not.toContain('wallet_requestSnaps');
    page.close();
  });

  it('connects to a snap without a network', async () => {
    const { provider } = connected({
      eth_chainId: () => {
        throw Object.assign(new Error('No network is set up'), { code: 4900 });
      },
    });
    const events = eventsOf(provider);
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE]);
    expect(events).toEqual([['accountsChanged', [ALICE]]]);
    expect((await failureOf(provider.request({ method: 'eth_chainId' }))).code).toBe(4900);
  });
});
