import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';
import { type Browser, type Page } from 'playwright-core';
import { type Abi, createWalletClient, type Hex, http, nonceManager, numberToHex, parseEther, parseUnits } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';

import { DEVNET_CHAIN } from '../../../src/devnet/chain/definition';
import { devnetOf, nodeOf } from './devnet-node';
import { type World } from './world';

const ROOT = join(__dirname, '../../..');
/** MetaMask's test dapp, as it is published. */
export const TEST_DAPP = join(ROOT, 'node_modules/@metamask/test-dapp/dist');

/** The node of the network that the dapp adds, and that network's id. */
const ADDED = { url: 'http://127.0.0.1:8546', chainId: '0x53a' };

/** It sends to several accounts at once, so its nonces are counted here. */
const CREATOR = mnemonicToAccount('test test test test test test test test test test test junk', {
  addressIndex: 9,
  nonceManager,
});
const TOKEN_DECIMALS = 4;

/** A kind of account that the dapp connects to. */
export type DappAccount = {
  readonly type: 'eip155:eoa' | 'eip155:erc4337';
  readonly kind?: string;
  /** What the dialog says when it creates this kind. */
  readonly title: string;
  /** Whether it cannot create contracts, so that the dapp needs one that exists already. */
  readonly needsContract?: boolean;
  /** Whether it runs the code of a contract (EIP-7702) before the dapp asks it for anything. */
  readonly isDelegated?: boolean;
  /** Whether the network has a paymaster, which pays for every user operation. */
  readonly isSponsored?: boolean;
};

/** The time limit for loading the dapp in milliseconds, on a busy machine. */
const PATIENCE = 180_000;

export type DappRequest = {
  readonly method: string;
  readonly result?: string;
  readonly code?: number;
  readonly message?: string;
};
export type Outcome = { readonly requests: readonly DappRequest[]; readonly failure?: string };
export type Button = { readonly id: string; readonly name: string };

async function scriptFor(world: World, account: DappAccount): Promise<string> {
  const { snapId } = await devnetOf(world);
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/provider/index.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'Keystead',
    write: false,
  });
  const settings = { snapId, account, walletScript: `${snapId.replace('local:', '')}/wallet.js` };
  return [
    `${outputFiles[0]!.text}; globalThis.Keystead = Keystead;`,
    `globalThis.KEYSTEAD_SETTINGS = ${JSON.stringify(settings)};`,
    readFileSync(join(__dirname, 'test-dapp-page.js'), 'utf8'),
  ].join('\n');
}

/**
 * Creates the dapp's own token.
 *
 * @returns Its address, and a function that gives somebody five of them and 1000 ether.
 */
export async function deployToken(world: World) {
  const { chain } = await devnetOf(world);
  const node = await nodeOf(world);
  const { hstAbi, hstBytecode } = JSON.parse(readFileSync(join(TEST_DAPP, 'constants.json'), 'utf8')) as {
    hstAbi: Abi;
    hstBytecode: Hex;
  };
  const creator = createWalletClient({ account: CREATOR, chain: DEVNET_CHAIN, transport: http(chain.rpcUrl) });
  const hash = await creator.deployContract({
    abi: hstAbi,
    bytecode: hstBytecode,
    args: [100n, 'TST', TOKEN_DECIMALS, 'TST'],
  });
  const { contractAddress: address } = await node.waitForTransactionReceipt({ hash });
  const give = async (to: Hex): Promise<void> => {
    const args = [to, parseUnits('5', TOKEN_DECIMALS)];
    for (const gift of [
      await creator.sendTransaction({ to, value: parseEther('1000') }),
      await creator.writeContract({ abi: hstAbi, address: address!, functionName: 'transfer', args }),
    ])
      await node.waitForTransactionReceipt({ hash: gift });
  };
  return { address: address!, give };
}

/** MetaMask's test dapp in a browser profile of its own, with Keystead's provider and the simulated wallet. */
export class TestDapp {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** @param url - The dapp. @param account - What is created when the dapp connects. */
  static async open(browser: Browser, world: World, url: string, account: DappAccount): Promise<TestDapp> {
    const context = await browser.newContext();
    // Four of them load at once.
    context.setDefaultNavigationTimeout(PATIENCE);
    const { chain } = await devnetOf(world);
    await context.addInitScript({ content: await scriptFor(world, account) });
    // The dapp loads fonts and styles from elsewhere.
    await context.route(
      (to) => !['localhost', '127.0.0.1'].includes(to.hostname),
      (route) => route.abort(),
    );
    await context.route(`${ADDED.url}/**`, async (route) => {
      const { id } = route.request().postDataJSON() as { readonly id: number };
      const json = { jsonrpc: '2.0', id, result: ADDED.chainId };
      await route.fulfill({ json, headers: { 'access-control-allow-origin': '*' } });
    });
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(url);
    const dapp = new TestDapp(page);
    const { chainId, rpcUrl, bundlerUrl, paymasterUrl, name } = chain;
    const params = { chainId, rpcUrl, bundlerUrl, name, ...(account.isSponsored === true && { paymasterUrl }) };
    await dapp.#during(`testDapp.provider.request(${JSON.stringify({ method: 'keystead_setChain', params })})`);
    return dapp;
  }

  close(): Promise<void> {
    return this.#page.context().close();
  }

  address(): Promise<Hex> {
    return this.#page.evaluate('testDapp.provider.selectedAddress');
  }

  /** Delegates the account (EIP-7702): it is upgraded for two calls that must be made at once. */
  async delegate(): Promise<void> {
    const from = await this.address();
    const calls = [{ to: CREATOR.address }, { to: CREATOR.address }];
    const params = [{ version: '2.0.0', from, chainId: numberToHex(DEVNET_CHAIN.id), atomicRequired: true, calls }];
    const request = JSON.stringify({ method: 'wallet_sendCalls', params });
    const { requests } = await this.#during(`testDapp.provider.request(${request})`);
    const { id } = JSON.parse(requests.at(-1)?.result ?? 'null') as { readonly id: string };
    await this.statusOf(id);
  }

  /** @returns All buttons, in their order on the page. */
  buttons(): Promise<Button[]> {
    return this.#page.evaluate(`[...document.querySelectorAll('button[id]')].map((button) => ({
      id: button.id,
      name: (button.innerText || button.textContent).replace(/\\s+/g, ' ').trim(),
    }))`);
  }

  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    await this.#page.evaluate(`testDapp.fill(${JSON.stringify(fields)})`);
  }

  /** @param selector - Of what has no id. */
  async click(selector: string): Promise<void> {
    await this.#page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  }

  /** Presses a button. @returns What was requested, or why it cannot be pressed. */
  async press(id: string): Promise<Outcome | string> {
    const element = `document.getElementById(${JSON.stringify(id)})`;
    if (await this.#page.evaluate<boolean>(`${element}.disabled`)) return 'disabled by the dapp';
    return this.#during(`${element}.click()`);
  }

  /** @returns Whether a transaction succeeded, once it is included. */
  succeeded(hash: string): Promise<boolean> {
    const request = { method: 'eth_getTransactionReceipt', params: [hash] };
    return this.#until(request, "(receipt) => receipt === null ? undefined : receipt.status === '0x1'");
  }

  /** @returns The status of a batch, once it is no longer pending. */
  statusOf(id: string): Promise<number> {
    const request = { method: 'wallet_getCallsStatus', params: [id] };
    return this.#until(request, '({ status }) => status === 100 ? undefined : status');
  }

  #until<T>(request: object, check: string): Promise<T> {
    return this.#page.evaluate(`testDapp.until(${JSON.stringify(request)}, ${check})`);
  }

  #during(action: string): Promise<Outcome> {
    return this.#page.evaluate(`testDapp.during(() => ${action})`);
  }
}
