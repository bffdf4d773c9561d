import fc from 'fast-check';

import { ServiceFailedError, ServiceRefusedError, ServiceSilentError } from '../../../../src/core/errors';
import { string, unknown } from '../../../../src/core/structs/struct';
import { askWallet, selectedNetwork, type WalletNetwork } from '../../../../src/snap/wallet/wallet-provider';
import { nodeError, WalletNetworks } from '../../../support/wallet/wallet-networks';

let wallet: WalletNetworks;
beforeEach(() => {
  wallet = new WalletNetworks();
  wallet.answers.eth_blockNumber = (_params, chainId) => `block of ${chainId}`;
  Object.assign(globalThis, { ethereum: { request: (request: never) => wallet.request(request) } });
});
afterEach(() => {
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'ethereum');
});

const on = (chainId: bigint, maySelect = true): WalletNetwork => ({ chainId, maySelect });
const ask = (network: WalletNetwork, method = 'eth_blockNumber', signal?: AbortSignal) =>
  askWallet(network, { method, params: [] }, unknown(), signal);

/** A promise that never settles. */
const never = () => new Promise<never>(() => undefined);

describe('the node of the wallet', () => {
  it('is asked for the selected network without selecting another', async () => {
    expect(await ask(on(1n))).toBe('block of 1');
    expect(wallet.asked.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_blockNumber']);
    expect(await selectedNetwork()).toBe(1n);
  });

  it('is asked for another network once that is selected', async () => {
    expect(await ask(on(10n))).toBe('block of 10');
    expect(await selectedNetwork()).toBe(10n);
  });

  it('is not asked if the network may not be selected', async () => {
    await expect(ask(on(10n, false))).rejects.toThrow(new ServiceSilentError('The wallet uses another network.'));
    expect(wallet.asked.map(({ method }) => method)).toEqual(['eth_chainId']);
    expect(await ask(on(1n, false))).toBe('block of 1');
  });

  it('is not asked on a network that the wallet does not have', async () => {
    await expect(ask(on(5n))).rejects.toThrow('The wallet does not let Keystead use this network.');
    expect(wallet.asked.map(({ method }) => method)).not.toContain('eth_blockNumber');
  });

  it('is not asked if the wallet says that it selected the network, and did not', async () => {
    wallet.answers.wallet_switchEthereumChain = () => null;
    await expect(ask(on(10n))).rejects.toThrow('The wallet stayed on another network.');
    expect(wallet.asked.map(({ method }) => method)).not.toContain('eth_blockNumber');
  });

  it.each([[null], ['mainnet'], ['0x'], [{}]])('is not asked if the wallet says that it uses %j', async (said) => {
    wallet.answers.eth_chainId = () => said;
    await expect(ask(on(1n))).rejects.toThrow('The wallet did not say which network it uses.');
    expect(await selectedNetwork()).toBeUndefined();
  });

  it('answers each request for its own network, however requests for several overlap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.constantFrom(1n, 10n), { maxLength: 12 }), async (s, chains) => {
        wallet = new WalletNetworks();
        wallet.answers.eth_blockNumber = () => s.schedule(Promise.resolve()).then(() => `block of ${wallet.selected}`);
        const answers = Promise.all(chains.map((chainId) => ask(on(chainId))));
        await s.waitFor(answers);
        expect(await answers).toEqual(chains.map((chainId) => `block of ${chainId}`));
      }),
      { numRuns: 50 },
    );
  });

  it('gets requests for one network at the same time', async () => {
    let waiting = 0;
    let release: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (release = resolve));
    wallet.answers.eth_blockNumber = async () => {
      if (++waiting === 3) release();
      await all;
      return 'three';
    };
    expect(await Promise.all([ask(on(1n)), ask(on(1n)), ask(on(1n))])).toEqual(['three', 'three', 'three']);
    expect(wallet.asked.filter(({ method }) => method === 'eth_chainId')).toHaveLength(1);
  });
});

describe('a failing node of the wallet', () => {
  it('is quoted with its own error, not the one that the wallet wraps it in', async () => {
    wallet.answers.eth_call = () => nodeError(3, 'execution reverted: no', '0x08c379a0');
    const error = await ask(on(1n), 'eth_call').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceRefusedError);
    expect((error as ServiceRefusedError).error).toEqual({
      code: 3,
      message: 'execution reverted: no',
      data: '0x08c379a0',
    });
  });

  it('is quoted on one line of limited length', async () => {
    wallet.answers.eth_call = () => nodeError(-32000, `two\nlines ${'x'.repeat(100_000)}`);
    const { message } = (await ask(on(1n), 'eth_call').catch((thrown: unknown) => thrown)) as Error;
    expect(message).not.toContain('\n');
    expect(message.length).toBeLessThan(500);
  });

  it.each([['text'], [null], [{ code: 'x', message: 5 }], [undefined]])('may throw %j', async (thrown) => {
    wallet.answers.eth_call = () => Promise.reject(thrown as never);
    await expect(ask(on(1n), 'eth_call')).rejects.toThrow(ServiceFailedError);
  });

  it('is known to lack a method by the code of its error', async () => {
    const error = (await ask(on(1n), 'eth_simulateV1').catch((thrown: unknown) => thrown)) as ServiceRefusedError;
    expect(error.error.code).toBe(-32601);
  });

  it('may answer nothing of use, or too much of it', async () => {
    wallet.answers.eth_call = () => ({ nothing: 'of use' });
    await expect(askWallet(on(1n), { method: 'eth_call', params: [] }, string())).rejects.toThrow('malformed result');
    wallet.answers.eth_call = () => 'x'.repeat(4 * 1024 * 1024);
    await expect(ask(on(1n), 'eth_call')).rejects.toThrow('returned more than 4194304 characters for eth_call');
  });

  it('is given up after 2.5 s, and does not keep requests for another network from running', async () => {
    jest.useFakeTimers();
    wallet.answers.eth_blockNumber = (_params, chainId) => (chainId === 1n ? never() : 'block of 10');
    const silent = expect(ask(on(1n))).rejects.toThrow(ServiceSilentError);
    await jest.advanceTimersByTimeAsync(1_000);
    const other = ask(on(10n));
    await jest.advanceTimersByTimeAsync(1_499);
    expect(wallet.selected).toBe(1n);
    await jest.advanceTimersByTimeAsync(1);
    await silent;
    expect(await other).toBe('block of 10');
  });

  it('is asked again once the wallet, which did not even say its network, responds', async () => {
    jest.useFakeTimers();
    wallet.answers.eth_chainId = never;
    const silent = expect(ask(on(1n))).rejects.toThrow(ServiceSilentError);
    await jest.advanceTimersByTimeAsync(2_500);
    await silent;
    delete wallet.answers.eth_chainId;
    expect(await ask(on(1n))).toBe('block of 1');
    expect(wallet.asked.filter(({ method }) => method === 'eth_blockNumber')).toHaveLength(1);
  });

  it.each([1n, 10n])(
    'does not block network %d for good if the wallet drops the timers of the snap',
    async (chainId) => {
      jest.useFakeTimers();
      wallet.answers.eth_chainId = never;
      void ask(on(1n));
      await jest.advanceTimersByTimeAsync(0);
      // As it does when the snap has answered all requests.
      jest.clearAllTimers();
      delete wallet.answers.eth_chainId;
      jest.setSystemTime(Date.now() + 2_500);
      expect(await ask(on(chainId))).toBe(`block of ${chainId}`);
    },
  );

  it('is given up when the request is cancelled', async () => {
    wallet.answers.eth_blockNumber = never;
    const controller = new AbortController();
    const cancelled = expect(ask(on(1n), 'eth_blockNumber', controller.signal)).rejects.toThrow('was cancelled');
    controller.abort();
    await cancelled;
    await expect(ask(on(1n), 'eth_blockNumber', controller.signal)).rejects.toThrow('was cancelled');
  });
});
