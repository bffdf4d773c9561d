import * as wagmi2 from '@wagmi/core';
import { type Address, type Chain, createWalletClient, custom, http } from 'viem';
import { mainnet } from 'viem/chains';
import * as wagmi3 from 'wagmi-core-3';

import { announceKeystead, createKeysteadProvider, type RequestArguments } from '../../../src/provider';
import { openPage } from '../../support/page';
import { SnapInProcess } from '../../support/wallet/in-process';
import { pageWallet } from '../../support/wallet/page-wallet';
import { WalletDouble } from '../../support/wallet/wallet-double';
import { failureOf, SNAP } from './connected';

/** The functions used here have the same names in both versions. */
const VERSIONS: [string, typeof wagmi2][] = [
  ['2', wagmi2],
  ['3', wagmi3 as unknown as typeof wagmi2],
];
const NODE = 'https://node.example/31337';
const DEVELOPMENT: Chain = {
  id: 31337,
  name: 'Development',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [NODE] } },
};

/** A page of a wallet with the whole snap, in which nothing is set up. The person approves everything. */
function freshPage() {
  const snap = new SnapInProcess(new WalletDouble());
  const { provider: wallet } = pageWallet('io.metamask.flask', {
    snap: ({ method, params }: RequestArguments) => snap.dapp(method, params as never),
  });
  return { snap, wallet, provider: createKeysteadProvider({ wallet }) };
}

describe('with no network set up', () => {
  it('the chain id is the provider’s own, and reads and requests that need a network still fail', async () => {
    const { provider } = freshPage();
    const [account] = await provider.request({ method: 'eth_requestAccounts' });
    expect(account).toMatch(/^0x/u);
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1');
    expect(await provider.request({ method: 'net_version' })).toBe('1');
    expect(await provider.request({ method: 'net_listening' })).toBe(true);
    const sending = provider.request({ method: 'eth_sendTransaction', params: [{ from: account! }] });
    expect(await failureOf(sending)).toMatchObject({ code: 4900 });
    expect(await failureOf(provider.request({ method: 'eth_blockNumber' }))).toMatchObject({ code: 4900 });
  });

  it('a wallet that has lost the snap is not taken for that', async () => {
    const gone = Object.assign(new Error('The snap is not there.'), { code: 4900 });
    const wallet = pageWallet('io.metamask.flask', {
      snap: ({ method }) => {
        if (method === 'eth_chainId') throw gone;
        return [];
      },
    });
    const provider = createKeysteadProvider({ wallet: wallet.provider, snapId: SNAP });
    await provider.request({ method: 'eth_requestAccounts' });
    expect(await failureOf(provider.request({ method: 'eth_chainId' }))).toMatchObject({ code: 4900 });
  });

  describe.each(VERSIONS)('wagmi %s', (_version, { connect, createConfig, getAccount, switchChain }) => {
    let page: ReturnType<typeof openPage>;
    let stop: () => void;
    beforeEach(() => {
      page = openPage();
    });
    afterEach(() => {
      stop();
      page.close();
    });

    /** A page set up as wagmi's documentation shows, in which the provider announces itself. */
    const setUp = (chain: Chain) => {
      const { wallet, snap } = freshPage();
      ({ stop } = announceKeystead({ wallet }));
      const config = createConfig({ chains: [chain], transports: { [chain.id]: http(NODE) }, storage: null });
      return { config, connector: config.connectors.find(({ id }) => id === 'app.keystead')!, snap };
    };

    it('connects', async () => {
      const { config, connector } = setUp(mainnet);
      const { accounts, chainId } = await connect(config, { connector });
      expect([accounts.length, chainId]).toEqual([1, 1]);
      expect(getAccount(config).status).toBe('connected');
    });

    it('connects to the network of the site as RainbowKit does, which adds it', async () => {
      const { config, connector, snap } = setUp(DEVELOPMENT);
      // Before it connects, RainbowKit asks for the chain of the wallet, and falls back to the site's own.
      const walletChain = await connector.getChainId();
      expect(walletChain).toBe(1);
      const { chainId } = await connect(config, { connector, chainId: DEVELOPMENT.id });
      expect(chainId).toBe(DEVELOPMENT.id);
      expect(await snap.dapp('eth_chainId')).toBe('0x7a69');
    });

    it('switches afterwards, which adds the network', async () => {
      const { config, connector } = setUp(DEVELOPMENT);
      await connect(config, { connector });
      expect(await switchChain(config, { chainId: DEVELOPMENT.id })).toMatchObject({ id: DEVELOPMENT.id });
    });
  });
});

describe('libraries that try another method', () => {
  it('report why the first one failed', async () => {
    const { provider, snap } = freshPage();
    await snap.keyring('keystead_setChain', { chainId: 'eip155:31337', rpcUrl: NODE, bundlerUrl: NODE });
    const options = { type: 'eip155:erc4337', chainId: 'eip155:31337', kind: 'safe-0.7' };
    const { address } = (await snap.keyring('keyring_createAccount', { options })) as { address: Address };
    await provider.request({ method: 'eth_requestAccounts' });
    const wallet = createWalletClient({ account: address, chain: DEVELOPMENT, transport: custom(provider) });
    await expect(wallet.sendTransaction({ data: '0x6001' })).rejects.toThrow(/cannot create contracts|must be/u);
    for (const method of ['wallet_sendTransaction', 'wallet_createSession', 'eth_fillTransaction'])
      expect(await failureOf(provider.request({ method, params: [{}] }))).toMatchObject({ code: -32601 });
    // What Keystead refuses on purpose is not tried with another name.
    expect(await failureOf(provider.request({ method: 'eth_sign', params: [] }))).toMatchObject({ code: 4200 });
  });

  it('sign transactions without data, and with their name of the gas limit', async () => {
    const { provider, snap } = freshPage();
    await snap.keyring('keystead_setChain', { chainId: 'eip155:31337', rpcUrl: NODE });
    const [from] = (await provider.request({ method: 'eth_requestAccounts' })) as [Address];
    const wallet = createWalletClient({ account: from, chain: DEVELOPMENT, transport: custom(provider) });
    const transaction = {
      to: `0x${'3'.repeat(40)}`,
      value: '0x1',
      type: '0x2',
      chainId: '0x7a69',
      nonce: '0x0',
      maxFeePerGas: '0x2',
      maxPriorityFeePerGas: '0x1',
      accessList: [],
      from,
    } as const;
    const sign = (more: object) =>
      provider.request({ method: 'eth_signTransaction', params: [{ ...transaction, ...more }] as never });
    const whole = await sign({ data: '0x', gasLimit: '0x5208' });
    expect(await sign({ gasLimit: '0x5208' })).toEqual(whole);
    expect(await sign({ gas: '0x5208' })).toEqual(whole);
    expect(await sign({ gas: '0x5208', input: '0x' })).toEqual(whole);
    expect(await failureOf(sign({ gas: '0x5208', gasLimit: '0x5208' }))).toMatchObject({ code: -32602 });
    expect(await failureOf(sign({ gas: '0x5208', data: '0x', input: '0x01' }))).toMatchObject({ code: -32602 });
    const { to, value, ...others } = transaction;
    expect(await failureOf(sign({ to, value, ...others, type: '0x9' }))).toMatchObject({ code: -32602 });
    expect(
      await wallet.signTransaction({
        to,
        value: 1n,
        type: 'eip1559',
        nonce: 0,
        gas: 21000n,
        maxFeePerGas: 2n,
        maxPriorityFeePerGas: 1n,
      }),
    ).toEqual(whole);
  });
});
