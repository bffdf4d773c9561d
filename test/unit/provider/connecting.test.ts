import { version } from '../../../package.json';
import { createKeysteadProvider, type KeysteadOptions } from '../../../src/provider';
import { openPage } from '../../helpers/page';
import { pageWallet } from '../../helpers/wallet/page-wallet';
import { ALICE, connected, eventsOf, failureOf, simulatedSnap, SNAP } from './connected';

describe('before the page is connected', () => {
  const alone = (options: KeysteadOptions = {}) => {
    const wallet = pageWallet('io.metamask.flask', { snap: simulatedSnap().snap });
    return { wallet, provider: createKeysteadProvider({ wallet: wallet.provider, ...options }) };
  };

  it('tells no accounts, no permissions, and the chain it was told', async () => {
    const { wallet, provider } = alone({ chainId: 10 });
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
    expect(await provider.request({ method: 'wallet_getPermissions' })).toEqual([]);
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0xa');
    expect(new Set(wallet.methods())).toEqual(new Set(['wallet_getSnaps']));
  });

  it('is on the first chain of its nodes, or on mainnet', async () => {
    const node = { request: () => Promise.resolve(null) };
    expect(await alone({ nodes: { 137: node } }).provider.request({ method: 'eth_chainId' })).toBe('0x89');
    expect(await alone().provider.request({ method: 'eth_chainId' })).toBe('0x1');
  });

  it('refuses what needs an account with 4100, and what needs a chain with 4900', async () => {
    const { wallet, provider } = alone();
    const account = await failureOf(provider.request({ method: 'personal_sign', params: ['0x00', ALICE] }));
    expect([account.code, account.message]).toEqual([4100, expect.stringContaining('call eth_requestAccounts first')]);
    expect((await failureOf(provider.request({ method: 'eth_blockNumber' }))).code).toBe(4900);
    expect(wallet.methods()).not.toContain('wallet_requestSnaps');
  });

  it('tells who connects that there is no wallet', async () => {
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

  it('installs the snap in the versions that fit this package, and tells what is new', async () => {
    const { wallet, provider } = fresh();
    const heard = eventsOf(provider);
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE]);
    expect(installsOf(wallet)).toEqual([{ [SNAP]: { version: `^${version}` } }]);
    expect(heard).toEqual([
      ['connect', { chainId: '0x7a69' }],
      ['chainChanged', '0x7a69'],
      ['accountsChanged', [ALICE]],
    ]);
  });

  it('installs what it is told to', async () => {
    const { wallet, provider } = fresh({ snapId: 'npm:other', version: '2.x' });
    await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] });
    expect(installsOf(wallet)).toEqual([{ 'npm:other': { version: '2.x' } }]);
  });

  it('has a local snap installed once: the wallet would install it anew each time', async () => {
    const { wallet, provider } = fresh({ snapId: 'local:http://localhost:8080' });
    await provider.request({ method: 'eth_requestAccounts' });
    await provider.request({ method: 'eth_requestAccounts' });
    expect(installsOf(wallet)).toEqual([{ 'local:http://localhost:8080': {} }]);
  });

  it.each([
    ['the no of the person', { code: 4001, message: 'User rejected the request.', data: { a: 1 } }],
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
    ['a snap that is switched off', { [SNAP]: { enabled: false } }, { code: 4900, message: /switch it on/u }],
    ['a snap that is blocked', { [SNAP]: { blocked: true } }, { code: 4900, message: /did not install npm:keystead/u }],
    ['nothing', {}, { code: 4900, message: /did not install npm:keystead/u }],
  ])('refuses %s', async (_name, result, { code, message }) => {
    const error = await failureOf(fresh({}, () => result).provider.request({ method: 'eth_requestAccounts' }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('asks once when it is asked twice', async () => {
    const { wallet, provider } = fresh();
    const request = () => provider.request({ method: 'eth_requestAccounts' });
    expect(await Promise.all([request(), request()])).toEqual([[ALICE], [ALICE]]);
    expect(installsOf(wallet)).toHaveLength(1);
    const asked = wallet.calls.filter(({ params }) => JSON.stringify(params)?.includes('eth_requestAccounts'));
    expect(asked).toHaveLength(1);
  });

  it('installs where the page chooses', async () => {
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

  it('connects to a snap on which no chain is set up', async () => {
    const { provider } = connected({
      eth_chainId: () => {
        throw Object.assign(new Error('No chain is set up'), { code: 4900 });
      },
    });
    const heard = eventsOf(provider);
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE]);
    expect(heard).toEqual([['accountsChanged', [ALICE]]]);
    expect((await failureOf(provider.request({ method: 'eth_chainId' }))).code).toBe(4900);
  });
});
