import { join } from 'node:path';

import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import { type Hex, parseEther, toHex } from 'viem';

import { type Anvil, startAnvil } from '../../../src/devnet/anvil';
import { serveSnap, type SnapServer } from '../../../src/devnet/snap-server';
import { flat } from '../../support/screen-text';
import { installKeystead, type Keystead } from '../../support/wallet/installed';
import { nodeError, WalletNetworks } from '../../support/wallet/wallet-networks';

/** anvil's first account, and an address that nobody uses. */
const ME: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const FRIEND: Hex = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
const CHAIN_ID = 31_337n;
const CHAIN = `eip155:${CHAIN_ID}`;

/** What MetaMask passes on to the node of a network. */
const PASSED_ON = [
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getTransactionCount',
];

describe('Keystead Insights on a real chain', () => {
  let anvil: Anvil;
  let server: SnapServer;
  let keystead: Keystead;
  const networks = new WalletNetworks();

  const rpc = async <T extends Json>(method: string, params: readonly Json[] = []): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(anvil.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result, error } = (await response.json()) as {
      result: T;
      error?: { code: number; message: string; data?: Json };
    };
    if (error !== undefined) nodeError(error.code, error.message, error.data);
    return result;
  };
  /** @param methods - What the wallet passes on. */
  const passOn = (methods: readonly string[]): void => {
    networks.answers = Object.fromEntries(
      methods.map((method) => [method, (params: readonly Json[]) => rpc(method, params)]),
    );
  };

  beforeAll(async () => {
    anvil = await startAnvil();
    server = await serveSnap(join(__dirname, '../../../dist-insights'), 0);
    networks.known = [CHAIN_ID];
    networks.selected = CHAIN_ID;
    keystead = await installKeystead({
      snapId: `local:${server.url}`,
      answer: (request) => (request.method === 'snap_getBackgroundEvents' ? [] : networks.request(request)),
    });
  });
  afterAll(async () => {
    await server.stop();
    await anvil.stop();
  });

  const insight = async (value: string): Promise<string> => {
    const { getInterface } = await keystead.snap.onTransaction({
      origin: 'https://app.example',
      chainId: CHAIN,
      from: ME,
      to: FRIEND,
      value: toHex(parseEther(value)),
    });
    return flat(getInterface().content);
  };

  it('shows what a transaction changes before it is sent, and remembers the recipient afterwards', async () => {
    passOn([...PASSED_ON, 'eth_simulateV1']);
    const before = BigInt(await rpc<Hex>('eth_getBalance', [FRIEND, 'latest']));
    const text = await insight('1.5');
    expect(text).toContain('You send 1.5 ETH');
    expect(text).toContain("Simulated by your wallet's node.");
    expect(text).toContain('First time you send to');
    await rpc('anvil_mine', [toHex(13)]);
    await rpc('eth_sendTransaction', [{ from: ME, to: FRIEND, value: toHex(parseEther('1.5')) }]);
    await rpc('anvil_mine', [toHex(40)]);
    expect(BigInt(await rpc<Hex>('eth_getBalance', [FRIEND, 'latest'])) - before).toBe(parseEther('1.5'));
    await keystead.snap.onCronjob({ method: 'lookUpSent' });
    expect(await insight('2')).not.toContain('First time you send to');
  });

  it('tells what would fail, where the wallet passes on eth_call only', async () => {
    passOn(PASSED_ON);
    expect(await insight('999999')).toContain(
      "This fails in a simulation: the sender has less of the network's coin than it would send",
    );
    expect(await insight('1')).toContain('It would succeed now, but this node cannot say what changes.');
  });
});
