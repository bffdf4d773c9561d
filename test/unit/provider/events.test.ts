import { openPage } from '../../helpers/page';
import { ALICE, BOB, connected, eventsOf, failureOf, SNAP } from './connected';

describe('events', () => {
  it('tell of another chain and other accounts', async () => {
    const { provider, state } = connected();
    await provider.request({ method: 'eth_requestAccounts' });
    const heard = eventsOf(provider);
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] });
    state.accounts = [BOB, ALICE];
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([BOB, ALICE]);
    await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] });
    expect(heard).toEqual([
      ['chainChanged', '0xa'],
      ['accountsChanged', [BOB, ALICE]],
      ['accountsChanged', []],
    ]);
  });

  it('tell nothing that is not new: neither the first look nor the same again', async () => {
    const { provider, state } = connected({}, { chainId: 31337 });
    state.accounts = [ALICE];
    const heard = eventsOf(provider);
    for (let time = 0; time < 2; time++) {
      await provider.request({ method: 'eth_accounts' });
      await provider.request({ method: 'eth_chainId' });
    }
    expect(heard).toEqual([['connect', { chainId: '0x7a69' }]]);
  });

  it.each([
    new Error('The Snap "npm:keystead" is not installed.'),
    { code: -32600, message: 'The snap "npm:keystead" is not connected to "https://dapp.example".' },
    { code: 4100, message: 'Unauthorized' },
  ])('tell that the snap was removed, once, and that it is back: %o', async (refusal) => {
    const { wallet, provider } = connected({
      personal_sign: () => {
        throw refusal as Error;
      },
    });
    await provider.request({ method: 'eth_requestAccounts' });
    const heard = eventsOf(provider);
    Reflect.deleteProperty(wallet.snaps, SNAP);
    const sign = () => provider.request({ method: 'personal_sign', params: ['0x00', ALICE] });
    const error = await failureOf(sign());
    expect(error).toMatchObject({ code: 4900, message: expect.stringContaining('was removed') as string });
    expect((await failureOf(sign())).code).toBe(4100);
    expect(heard).toEqual([
      ['accountsChanged', []],
      ['disconnect', error],
    ]);
    await provider.request({ method: 'eth_requestAccounts' });
    expect(heard.slice(2)).toEqual([
      ['connect', { chainId: '0x7a69' }],
      ['accountsChanged', [ALICE]],
    ]);
  });

  it('come when the page gets the focus back, as long as somebody listens', async () => {
    const page = openPage();
    const { provider, state, wallet } = connected();
    await provider.request({ method: 'eth_requestAccounts' });
    const news = new Promise((resolve) => {
      const listener = (accounts: readonly string[]): void => {
        provider.removeListener('accountsChanged', listener);
        resolve(accounts);
      };
      provider.on('accountsChanged', listener);
    });
    state.accounts = [];
    page.page.dispatchEvent(new Event('focus'));
    expect(await news).toEqual([]);
    const before = wallet.calls.length;
    page.page.dispatchEvent(new Event('focus'));
    expect(wallet.calls).toHaveLength(before);
    page.close();
  });

  it('of a node are passed on while somebody listens', () => {
    const listeners = new Set<(message: never) => void>();
    const node = {
      request: () => Promise.resolve(null),
      on: (_event: string, listener: (message: never) => void) => listeners.add(listener),
      removeListener: (_event: string, listener: (message: never) => void) => listeners.delete(listener),
    };
    const { provider } = connected({}, { nodes: { 1: node } });
    const heard: unknown[] = [];
    const listener = (message: unknown): void => {
      heard.push(message);
    };
    provider.on('message', listener);
    const news = { type: 'eth_subscription', data: { subscription: '0x1', result: {} } };
    for (const tell of listeners) tell(news as never);
    provider.removeListener('message', listener);
    expect([heard, listeners.size]).toEqual([[news], 0]);
  });

  it('reach every listener, also when one of them throws', async () => {
    jest.useFakeTimers();
    const { provider } = connected();
    const heard: unknown[] = [];
    provider.on('connect', () => {
      throw new Error('of the page');
    });
    provider.on('connect', (info) => heard.push(info));
    await provider.request({ method: 'eth_chainId' });
    expect(heard).toEqual([{ chainId: '0x7a69' }]);
    expect(() => jest.runAllTimers()).toThrow('of the page');
    jest.useRealTimers();
  });

  it('ask a node for its messages once, whoever listens twice', () => {
    const asked: string[] = [];
    const note = (what: string) => (event: string) => asked.push(`${what} ${event}`);
    const node = { request: () => Promise.resolve(null), on: note('on'), removeListener: note('off') };
    const { provider } = connected({}, { nodes: { 1: node } });
    const listener = (): void => undefined;
    provider.on('message', listener).on('message', listener);
    provider.removeListener('message', listener).removeListener('message', listener);
    expect(asked).toEqual(['on message', 'off message']);
  });
});
