import { type Page } from 'playwright-core';
import {
  createPublicClient,
  createWalletClient,
  custom,
  getAddress,
  http,
  parseEther,
  recoverMessageAddress,
  verifyTypedData,
} from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { startAnvil } from '../../src/devnet/anvil';
import { createTestProvider, provideTo } from '../../src/testing';
import { describeWithChromium, startChromium } from '../support/chromium';

const ALICE = `0x${'a1'.repeat(20)}` as const;

let anvil: Awaited<ReturnType<typeof startAnvil>>;
beforeAll(async () => {
  anvil = await startAnvil();
}, 60_000);
afterAll(() => anvil.stop());

const start = () => {
  const provider = createTestProvider({ rpcUrl: anvil.url });
  const wallet = createWalletClient({ account: provider.address, chain: foundry, transport: custom(provider) });
  const node = createPublicClient({ chain: foundry, transport: http(anvil.url), pollingInterval: 20 });
  return { provider, wallet, node };
};
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code: unknown }).code,
  );

describe('the provider for tests', () => {
  it('refuses any chain but that of development nodes, unless it is forced', async () => {
    const make = (more: object) => () => createTestProvider({ rpcUrl: anvil.url, ...more });
    for (const chainId of [1, 10, 0, 31338, Number.NaN]) expect(make({ chainId })).toThrow(/^chainId: must be 31337/u);
    for (const allowAnyChain of [false, 'yes', 1]) expect(make({ chainId: 1, allowAnyChain })).toThrow(/chainId/u);
    // A node of another chain gets nothing, either.
    const forced = make({ chainId: 1, allowAnyChain: true })();
    await forced.request({ method: 'eth_requestAccounts' });
    const sending = forced.request({ method: 'eth_sendTransaction', params: [{ from: forced.address, to: ALICE }] });
    await expect(sending).rejects.toThrow('The node serves chain 31337, not 1.');
  });

  it('gives nothing to a page that has not connected', async () => {
    const { provider } = start();
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69');
    for (const [method, ...params] of [
      ['personal_sign', '0x00', provider.address],
      ['eth_sendTransaction', { from: provider.address, to: ALICE }],
      ['wallet_sendCalls', { calls: [] }],
      ['eth_signTypedData_v4', provider.address, '{}'],
    ])
      expect([method, await codeOf(provider.request({ method: method as string, params }))]).toEqual([method, 4100]);
  });

  it('connects, signs and sends without a person', async () => {
    const { provider, wallet, node } = start();
    expect(await wallet.requestAddresses()).toEqual([getAddress(provider.address)]);
    const signature = await wallet.signMessage({ message: 'hello' });
    expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(getAddress(provider.address));
    const typed = {
      types: { Vote: [{ name: 'isFor', type: 'bool' }] },
      primaryType: 'Vote',
      domain: { chainId: 31337 },
      message: { isFor: true },
    } as const;
    const signed = await wallet.signTypedData(typed);
    expect(await verifyTypedData({ ...typed, address: provider.address, signature: signed })).toBe(true);
    const hash = await wallet.sendTransaction({ to: ALICE, value: parseEther('1') });
    expect(await node.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' });
    expect(await wallet.getCapabilities()).toEqual({ 31337: { atomic: { status: 'unsupported' } } });
    const call = { to: ALICE, value: 2n };
    const before = await node.getBalance({ address: ALICE });
    const { id } = await wallet.sendCalls({ calls: [call, call] });
    const { status, receipts } = await wallet.waitForCallsStatus({ id });
    expect([status, receipts?.length]).toEqual(['success', 2]);
    expect((await node.getBalance({ address: ALICE })) - before).toBe(4n);
    expect(provider.asked.map(({ method }) => method)).toEqual([
      'eth_requestAccounts',
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'wallet_sendCalls',
    ]);
  });

  it('rejects what it is told to reject, and refuses as Keystead does', async () => {
    const { provider, wallet } = start();
    provider.rejectNext();
    expect(await codeOf(provider.request({ method: 'eth_requestAccounts' }))).toBe(4001);
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
    await wallet.requestAddresses();
    const stranger = privateKeyToAddress(generatePrivateKey());
    for (const [expected, method, ...params] of [
      [4100, 'personal_sign', '0x00', stranger],
      [4902, 'wallet_switchEthereumChain', { chainId: '0x1' }],
      [4200, 'eth_sign', provider.address, '0x00'],
      [-32601, 'wallet_sendTransaction', {}],
      [5730, 'wallet_getCallsStatus', '0x01'],
      [5760, 'wallet_sendCalls', { atomicRequired: true, calls: [{ to: ALICE }, { to: ALICE }] }],
    ])
      expect([method, await codeOf(provider.request({ method: method as string, params }))]).toEqual([
        method,
        expected,
      ]);
    expect(
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a69' }] }),
    ).toBeNull();
    await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] });
    expect(await provider.request({ method: 'wallet_getPermissions' })).toEqual([]);
    await expect(provider.request({ method: 'eth_getBalance', params: ['0x1'] })).rejects.toHaveProperty('code');
  });
});

describeWithChromium('the provider for tests, in a page of Playwright', () => {
  it('is found as Keystead is, and answers outside the browser', async () => {
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      const { provider } = start();
      await provideTo(page, provider);
      await page.route('http://dapp.test/', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<p>Dapp</p>' }),
      );
      await page.goto('http://dapp.test/');
      const ask = (method: string, params: unknown[] = []) => askInPage(page, method, params);
      expect(await ask('eth_requestAccounts')).toEqual({
        name: 'Keystead',
        rdns: 'app.keystead',
        result: [provider.address],
      });
      expect(await ask('personal_sign', ['0x68656c6c6f', provider.address])).toMatchObject({
        result: expect.stringMatching(/^0x[0-9a-f]{130}$/u) as string,
      });
      provider.rejectNext();
      expect(await ask('personal_sign', ['0x68656c6c6f', provider.address])).toMatchObject({ code: 4001 });
    } finally {
      await browser.close();
    }
  }, 60_000);
});

/** Looks for wallets in a page as libraries do (EIP-6963), and asks the one it finds. */
const askInPage = (page: Page, method: string, params: unknown[]): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    window.addEventListener('eip6963:announceProvider', ({ detail: { info, provider } }) => {
      const { name, rdns } = info;
      provider.request(${JSON.stringify({ method, params })}).then(
        (result) => resolve({ name, rdns, result }),
        (error) => resolve({ name, rdns, code: error.code }),
      );
    }, { once: true });
    window.dispatchEvent(new Event('eip6963:requestProvider'));
  })`);
