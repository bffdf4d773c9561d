import { createKeysteadProvider } from '../../../src/provider';
import { openPage } from '../../support/page';
import { ALICE, BOB, connected, eventsOf, failureOf, SNAP } from './connected';

describe('events', () => {
  it('report changes of the chain and the accounts', async () => {
    const { provider, state } = connected();
    await provider.request({ method: 'eth_requestAccounts' });
    const events = eventsOf(provider);
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] });
    state.accounts = [BOB, ALICE];
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([BOB, ALICE]);
    await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] });
    expect(events).toEqual([
      ['chainChanged', '0xa'],
      ['accountsChanged', [BOB, ALICE]],
      ['accountsChanged', []],
    ]);
  });

  it('are not emitted for the first result or an unchanged one', async () => {
    const { provider, state } = connected({}, { chainId: 31337 });
    state.accounts = [ALICE];
    const events = eventsOf(provider);
    for (let time = 0; time < 2; time++) {
      await provider.request({ method: 'eth_accounts' });
      await provider.request({ method: 'eth_chainId' });
    }
    expect(events).toEqual([['connect', { chainId: '0x7a69' }]]);
  });

  it.each([
    new Error('The Snap "npm:keystead" is not installed.'),
    { code: -32600, message: 'The snap "npm:keystead" is not connected to "https://dapp.example".' },
    { code: 4100, message: 'Unauthorized' },
  ])('report once that the snap was removed, and that it is back: %o', async (refusal) => {
    const { wallet, provider } = connected({
      personal_sign: () => {
        throw refusal as Error;
      },
    });
    await provider.request({ method: 'eth_requestAccounts' });
    const events = eventsOf(provider);
    Reflect.deleteProperty(wallet.snaps, SNAP);
    const sign = () => provider.request({ method: 'personal_sign', params: ['0x00', ALICE] });
    const error = await failureOf(sign());
    expect(error).toMatchObject({ code: 4900, message: expect.stringContaining('was removed') as string });
    expect((await failureOf(sign())).code).toBe(4100);
    expect(events).toEqual([
      ['accountsChanged', []],
      ['disconnect', error],
    ]);
    await provider.request({ method: 'eth_requestAccounts' });
    expect(events.slice(2)).toEqual([
      ['connect', { chainId: '0x7a69' }],
      ['accountsChanged', [ALICE]],
    ]);
  });

  const refused = new Error('Snap "npm:keystead" is disabled.');
  const failing = () => {
    const page = connected({
      personal_sign: () => {
        throw refused;
      },
    });
    const sign = () => failureOf(page.provider.request({ method: 'personal_sign', params: ['0x00', ALICE] }));
    return { ...page, sign };
  };

  it('say that the snap is disabled, not removed', async () => {
    const { wallet, provider, sign } = failing();
    await provider.request({ method: 'eth_requestAccounts' });
    const events = eventsOf(provider);
    wallet.snaps[SNAP] = { ...wallet.snaps[SNAP], enabled: false };
    const error = await sign();
    expect(error).toMatchObject({
      code: 4900,
      message: "Keystead is disabled in the wallet: turn it on in the wallet's settings, under Snaps.",
    });
    expect(events).toEqual([
      ['accountsChanged', []],
      ['disconnect', error],
    ]);
    wallet.snaps[SNAP] = { ...wallet.snaps[SNAP], enabled: true };
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([ALICE]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('busy'))],
    ['says nothing', () => Promise.resolve(null)],
  ])('do not say that the page is disconnected if the wallet’s list of snaps %s', async (_name, list) => {
    const { wallet, sign } = failing();
    let isAsked = false;
    const request: typeof wallet.provider.request = (args) =>
      isAsked && args.method === 'wallet_getSnaps' ? list() : wallet.provider.request(args);
    const provider = createKeysteadProvider({ wallet: { request } });
    await provider.request({ method: 'eth_requestAccounts' });
    const events = eventsOf(provider);
    isAsked = true;
    const error = await failureOf(provider.request({ method: 'personal_sign', params: ['0x00', ALICE] }));
    expect(error).toMatchObject({ code: -32603, message: refused.message });
    expect([events, provider.isConnected(), provider.selectedAddress]).toEqual([[], true, ALICE]);
    expect((await sign()).message).toBe(refused.message);
  });

  it('are updated when the page gets the focus, as long as it has listeners', async () => {
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

  it('forward the messages of a node while there are listeners', () => {
    const listeners = new Set<(message: never) => void>();
    const node = {
      request: () => Promise.resolve(null),
      on: (_event: string, listener: (message: never) => void) => listeners.add(listener),
      removeListener: (_event: string, listener: (message: never) => void) => listeners.delete(listener),
    };
    const { provider } = connected({}, { nodes: { 1: node } });
    const events: unknown[] = [];
    const listener = (message: unknown): void => {
      events.push(message);
    };
    provider.on('message', listener);
    const news = { type: 'eth_subscription', data: { subscription: '0x1', result: {} } };
    for (const notify of listeners) notify(news as never);
    provider.removeListener('message', listener);
    expect([events, listeners.size]).toEqual([[news], 0]);
  });

  it('reach every listener even if one of them throws', async () => {
    jest.useFakeTimers();
    const { provider } = connected();
    const events: unknown[] = [];
    provider.on('connect', () => {
      throw new Error('of the page');
    });
    provider.on('connect', (info) => events.push(info));
    await provider.request({ method: 'eth_chainId' });
    expect(events).toEqual([{ chainId: '0x7a69' }]);
    expect(() => jest.runAllTimers()).toThrow('of the page');
    jest.useRealTimers();
  });

  it('subscribe to a node once, even if a listener is added twice', () => {
    const calls: string[] = [];
    const record = (what: string) => (event: string) => calls.push(`${what} ${event}`);
    const node = { request: () => Promise.resolve(null), on: record('on'), removeListener: record('off') };
    const { provider } = connected({}, { nodes: { 1: node } });
    const listener = (): void => undefined;
    provider.on('message', listener).on('message', listener);
    provider.removeListener('message', listener).removeListener('message', listener);
    expect(calls).toEqual(['on message', 'off message']);
  });

  it('are reported under their older names too', async () => {
    const { provider, wallet } = connected();
    await provider.request({ method: 'eth_requestAccounts' });
    const events: unknown[] = [];
    provider.on('networkChanged', (network) => events.push(network));
    provider.on('close', ({ code }) => events.push(code));
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] });
    Reflect.deleteProperty(wallet.snaps, SNAP);
    Reflect.deleteProperty(wallet.snaps, SNAP);
    await failureOf(provider.request({ method: 'eth_blockNumber' }));
    expect(events).toEqual(['10', 4900]);
  });

  it('reach listeners added with `once` once, until they are removed', async () => {
    const { provider } = connected();
    const events: string[] = [];
    const listener = (): void => {
      events.push('removed');
    };
    const onceAndAlways = (): void => {
      events.push('both');
    };
    provider.once('chainChanged', () => events.push('once'));
    provider.once('chainChanged', listener).off('chainChanged', listener);
    provider.once('chainChanged', onceAndAlways).addListener('chainChanged', onceAndAlways);
    expect(provider.listenerCount('chainChanged')).toBe(3);
    await provider.request({ method: 'eth_requestAccounts' });
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] });
    expect(events).toEqual(['once', 'both', 'both', 'both']);
  });

  it('are no longer followed once all listeners are removed', () => {
    const calls: string[] = [];
    const record = (what: string) => (event: string) => calls.push(`${what} ${event}`);
    const node = { request: () => Promise.resolve(null), on: record('on'), removeListener: record('off') };
    const { provider } = connected({}, { nodes: { 1: node } });
    const listener = (): void => undefined;
    provider.on('message', listener).on('notification', listener).removeAllListeners('message');
    expect(calls).toEqual(['on message']);
    provider.removeAllListeners();
    expect(calls).toEqual(['on message', 'off message']);
  });
});
