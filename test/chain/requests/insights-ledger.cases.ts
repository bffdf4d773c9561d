import { join } from 'node:path';

import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, toHex } from 'viem';

import { serveSnap, type SnapServer } from '../../../src/devnet/snap-server';
import { ACCOUNT, FILLER, type Markets, OTHER, signOrder, startMarkets, USDC } from '../../support/chain/markets/world';
import { describeWithPeers } from '../../support/chain/peers';
import { typedData } from '../../support/explaining';
import { flat } from '../../support/screen-text';
import { installKeystead, type Keystead } from '../../support/wallet/installed';
import { nodeError, WalletNetworks } from '../../support/wallet/wallet-networks';

const MAX = 2n ** 256n - 1n;
/** A network that has the same contracts, and whose tokens nobody knows. */
const OTHER_NETWORK = 4242n;
const SYMBOL = '0x95d89b41';
const NONCES = '0x7ecebe00';

/** What MetaMask passes on to the node of a network. */
const PASSED_ON = [
  'eth_call',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
];

const ABI = parseAbi([
  'function approve(address, uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
]);
const approval = (spender: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: ABI, functionName: 'approve', args: [spender, amount] });

type Page = { readonly content: unknown };

/** The name of the first button whose name begins so, or whose text has it. */
function nameOfButton(element: unknown, prefix: string): string | undefined {
  if (Array.isArray(element)) {
    for (const one of element) {
      const found = nameOfButton(one, prefix);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof element !== 'object' || element === null) return undefined;
  const { type, props } = element as { type?: string; props?: { name?: string; children?: unknown } };
  const isMeant = props?.name?.startsWith(prefix) === true || JSON.stringify(props?.children ?? '').includes(prefix);
  return type === 'Button' && isMeant ? props?.name : nameOfButton(props?.children, prefix);
}

describeWithPeers('the home page of Keystead Insights on a real chain', () => {
  let markets: Markets;
  let server: SnapServer;
  let keystead: Keystead;
  const networks = new WalletNetworks();

  beforeAll(async () => {
    markets = await startMarkets();
    server = await serveSnap(join(__dirname, '../../../dist-insights'), 0);
    networks.known = [1n, OTHER_NETWORK];
    keystead = await installKeystead({
      snapId: `local:${server.url}`,
      answer: (request) => (request.method === 'snap_getBackgroundEvents' ? [] : networks.request(request)),
    });
  }, 300_000);
  afterAll(async () => {
    await server.stop();
    await markets.stop();
  });

  /** Blocks are mined in between, so that the time of the next one is the chain's own matter. */
  const send = async (from: Hex, { to, data }: { readonly to: Hex; readonly data: Hex }): Promise<void> => {
    const { status } = await markets.rpc<{ status: Hex }>('eth_sendTransactionSync', [
      { from, to, data, gas: toHex(1_000_000) },
    ]);
    expect(status).toBe('0x1');
  };
  const ask = (method: string, params: readonly Json[]): Promise<Json> =>
    markets.rpc<Json>(method, params).catch((error: unknown) => nodeError(3, String(error)));
  beforeEach(() => {
    networks.selected = 1n;
    networks.answers = Object.fromEntries(
      PASSED_ON.map((method) => [method, (params: readonly Json[]) => ask(method, params)]),
    );
  });

  const home = async (): Promise<Page> => (await keystead.snap.onHomePage()).getInterface() as unknown as Page;
  /** Opens the home page, presses buttons by the beginnings of their names, or by their texts, and returns what is shown then. */
  const press = async (...prefixes: readonly string[]): Promise<string> => {
    const shown = await keystead.snap.onHomePage();
    const page = (): { clickElement: (name: string) => Promise<void> } & Page => shown.getInterface() as never;
    for (const prefix of prefixes) {
      const name = nameOfButton(page().content, prefix);
      expect(name).toBeDefined();
      await page().clickElement(name!);
    }
    return flat(page().content);
  };
  const sign = (data: object) =>
    keystead.snap.onSignature({
      origin: 'https://drainer.example',
      from: ACCOUNT,
      data: data as never,
      signatureMethod: 'eth_signTypedData_v4',
    });
  const permit = (nonce: number) =>
    typedData(
      'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
      { name: 'USDC', version: '1', chainId: 1, verifyingContract: USDC },
      { owner: ACCOUNT, spender: FILLER, value: `${MAX}`, nonce: `${nonce}`, deadline: `${2n ** 40n}` },
    );
  const use = async (data: ReturnType<typeof permit>): Promise<void> => {
    const signature = signOrder(data);
    const rest = [Number(`0x${signature.slice(130)}`), signature.slice(0, 66), `0x${signature.slice(66, 130)}`];
    const args = [ACCOUNT, FILLER, MAX, 2n ** 40n, ...rest] as never;
    await send(FILLER, { to: USDC, data: encodeFunctionData({ abi: ABI, functionName: 'permit', args }) });
  };

  it('does not believe a node that finds no events', async () => {
    await send(ACCOUNT, { to: USDC, data: approval(FILLER, MAX) });
    await sign(permit(99));
    networks.answers.eth_getLogs = () => [];
    const text = await press('search:');
    expect(text).toContain('The node of your wallet did not find an event that is in block');
    expect(text).not.toContain('All your USDC');
    // Nothing of that search is kept.
    expect(flat((await home()).content)).not.toContain('Searched block');
    await press('not-signed:');
  });

  it('lists an unlimited approval with the call that takes it back, until that is sent', async () => {
    const text = await press('search:');
    expect(text).toContain('The node of your wallet found events that are known to be there.');
    expect(text).toContain(`All your USDC Token ${USDC}`);
    expect(text).toContain('It has no limit.');
    const data = approval(FILLER, 0n);
    expect(text).toContain(`To take it back, send this from the account, with no value: To ${USDC}`);
    expect(text).toContain(data);
    expect(flat((await home()).content)).toContain('Searched blocks 0 to');
    await send(ACCOUNT, { to: USDC, data });
    const after = await press('search:');
    expect(after).toContain('nothing gives a permission that still holds');
    expect(after).not.toContain('All your USDC');
  });

  it('stops after some requests if the node takes few blocks at once, and goes on at the next press', async () => {
    await markets.rpc('anvil_mine', [toHex(900), '0x0']);
    await send(ACCOUNT, { to: USDC, data: approval(OTHER, MAX) });
    await markets.rpc('anvil_mine', [toHex(2000), '0x0']);
    networks.answers.eth_getLogs = (params) => {
      const [{ fromBlock, toBlock }] = params as unknown as [{ fromBlock: Hex; toBlock: Hex }];
      return BigInt(toBlock) - BigInt(fromBlock) > 100n
        ? nodeError(-32005, 'too many blocks')
        : ask('eth_getLogs', params);
    };
    networks.asked.length = 0;
    const first = await press('search:');
    expect(first).toContain('Search further back');
    expect(first).not.toContain('All your USDC');
    expect(networks.asked.filter(({ method }) => method === 'eth_getLogs').length).toBeLessThan(75);
    let text = first;
    for (let presses = 0; presses < 5 && text.includes('Search further back'); presses++) text = await press('search:');
    expect(text).toContain('All your USDC');
    await send(ACCOUNT, { to: USDC, data: approval(OTHER, 0n) });
  });

  it('shows a listed token first, however many others name the account, and the rest by a button', async () => {
    await send(ACCOUNT, { to: USDC, data: approval(FILLER, MAX) });
    const code = await markets.rpc<Hex>('eth_getCode', [USDC, 'latest']);
    const spam = Array.from({ length: 21 }, (_, at): Hex => toHex(0xbad000 + at, { size: 20 }));
    for (const token of spam) {
      await markets.rpc('anvil_setCode', [token, code]);
      await send(ACCOUNT, { to: token, data: approval(FILLER, MAX) });
    }
    const text = await press('search:');
    expect(text.indexOf('All your USDC Token')).toBeGreaterThan(0);
    expect(text.indexOf('All your USDC Token')).toBeLessThan(text.indexOf('All your tokens of'));
    expect(text.match(/Can be taken by/gu)).toHaveLength(20);
    expect(text).toContain('Show 2 more');
    expect((await press('search:', 'Show 2 more')).match(/Can be taken by/gu)).toHaveLength(2);
    for (const token of [USDC, ...spam]) await send(ACCOUNT, { to: token, data: approval(FILLER, 0n) });
  });

  it('quotes the name of a token that nobody knows', async () => {
    await send(ACCOUNT, { to: USDC, data: approval(FILLER, 5_000_000n) });
    networks.selected = OTHER_NETWORK;
    networks.answers.eth_call = (params) => {
      const [{ data }] = params as unknown as [{ data: Hex }];
      return data.startsWith(SYMBOL)
        ? encodeAbiParameters([{ type: 'string' }], ['”all safe\u202e'])
        : ask('eth_call', params);
    };
    const text = await press('search:eip155:4242');
    expect(text).toContain(String.raw`5 “"all safe\u{202e}”`);
    expect(text).not.toContain('\u202e');
    await send(ACCOUNT, { to: USDC, data: approval(FILLER, 0n) });
  });

  it('lists a permit that was explained, until the node says that it was used; that deletes nothing', async () => {
    const data = permit(0);
    await sign(data);
    const text = flat((await home()).content);
    expect(text).toContain('Signed and may still count');
    expect(text).toContain('Site https://drainer.example');
    expect(text).toContain('you sign once more, and send that to the token. An approval of 0 would not cancel it.');
    expect(await press('check:')).toContain('Site https://drainer.example');

    const honest = networks.answers.eth_call!;
    networks.answers.eth_call = (params, chainId) =>
      (params as unknown as [{ data: Hex }])[0].data.startsWith(NONCES)
        ? toHex(1, { size: 32 })
        : honest(params, chainId);
    const lied = await press('check:');
    expect(lied).toContain('1 more signature used or cancelled, according to the node of your wallet.');
    networks.answers.eth_call = honest;
    expect(await press('check:')).toContain('Site https://drainer.example');

    await use(data);
    const used = await press('check:');
    expect(used).not.toContain('Site https://drainer.example');
    expect(used).toContain('1 more signature used or cancelled');
    // What the permit gave is a permission now.
    expect(await press('search:')).toContain('All your USDC');
  });

  it('says why nothing was checked or searched if the node does not answer', async () => {
    networks.answers = {};
    expect(await press('check:')).toContain('Nothing was checked');
    expect(await press('search:')).toContain('Nothing was searched');
  });
});
