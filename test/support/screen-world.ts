import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { type Hex } from '../../src/core/eth/bytes';
import { openPart } from './open-part';
import { NodeRefusal } from './simulated-node';
import { DAPP, SnapInProcess } from './wallet/in-process';
import { WalletDouble } from './wallet/wallet-double';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';

type Answers = Record<string, (params: readonly unknown[]) => unknown>;

/** The open part of a screen. */
export type OpenPart = {
  readonly title: string;
  readonly lines: readonly string[];
  readonly text: string;
  readonly dangers: readonly string[];
  readonly warnings: readonly string[];
  /** The values of the rows with this label, in order. */
  readonly rows: (label: string) => readonly string[];
};

function open(content: unknown): OpenPart {
  const lines = openPart(content);
  const starting = (start: string): string[] =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length));
  return {
    title: starting('# ')[0] ?? '',
    lines,
    text: lines.join('\n'),
    dangers: starting('[danger] '),
    warnings: starting('[warning] '),
    rows: (label) => starting(`${label}: `),
  };
}

/** What a node of Ethereum says. Every account has 1,000 ETH, and every address has code. It cannot simulate. */
const NODE: Answers = {
  eth_chainId: () => '0x1',
  eth_getTransactionCount: () => '0x5',
  eth_getBalance: () => '0x3635c9adc5dea00000',
  eth_getCode: () => '0x6001',
  // The entry point knows the nonce of every account.
  eth_call: ([call]) => ((call as { data: string }).data.startsWith('0x35567e1a') ? `0x${'00'.repeat(32)}` : '0x'),
  eth_estimateGas: () => '0x30d40',
  eth_getBlockByNumber: () => ({ baseFeePerGas: '0x3b9aca00' }),
  eth_maxPriorityFeePerGas: () => '0x3b9aca00',
  eth_gasPrice: () => '0x77359400',
  eth_supportedEntryPoints: () => [
    '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
    '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
    '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  ],
  eth_estimateUserOperationGas: () => ({
    callGasLimit: '0x100000',
    verificationGasLimit: '0x60000',
    preVerificationGas: '0xc000',
  }),
  eth_sendRawTransaction: () => `0x${'ab'.repeat(32)}`,
};

/**
 * The whole snap in this process, on a simulated node of Ethereum, with an imported account and a smart account that a
 * site may use. The person refuses every request, so nothing that is asked changes what is asked later.
 */
export class ScreenWorld {
  readonly answers: Answers = { ...NODE };
  readonly #contents: unknown[] = [];
  readonly #wallet = new WalletDouble();
  readonly #snap: SnapInProcess;
  #agrees = true;
  eoa!: KeyringAccount;
  smart!: KeyringAccount;

  private constructor() {
    this.#wallet.show = (content) => {
      this.#contents.push(content);
      return this.#agrees;
    };
    this.#wallet.serve = (_url, { id, method, params }) => {
      try {
        const answer = this.answers[method];
        if (answer === undefined) throw new NodeRefusal(`the method ${method} does not exist`, -32601);
        return { jsonrpc: '2.0', id, result: answer(params) };
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error;
        const { code, message, data } = error;
        return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
      }
    };
    this.#snap = new SnapInProcess(this.#wallet);
  }

  /** @param friends - Addresses that the imported account has sent to before. */
  static async start(friends: readonly Hex[] = []): Promise<ScreenWorld> {
    const world = new ScreenWorld();
    const snap = world.#snap;
    const chain = { chainId: 'eip155:1', rpcUrl: 'https://node.example/1', bundlerUrl: 'https://bundler.example/1' };
    await snap.keyring('keystead_setChain', chain);
    const create = async (options: Record<string, Json>): Promise<KeyringAccount> =>
      (await snap.keyring('keyring_createAccount', { options })) as unknown as KeyringAccount;
    world.eoa = await create({ privateKey: KEY });
    world.smart = await create({ type: 'eip155:erc4337', chainId: 'eip155:1' });
    world.#wallet.choice = [world.eoa.id, world.smart.id];
    await snap.dapp('eth_requestAccounts');
    world.#wallet.choice = undefined;
    for (const to of friends) await snap.dapp('eth_sendTransaction', [{ from: world.eoa.address, to, value: '0x1' }]);
    world.#agrees = false;
    return world;
  }

  async #shown(request: () => Promise<unknown>): Promise<OpenPart | undefined> {
    this.#contents.length = 0;
    const error = await request().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const [content] = this.#contents;
    if (content === undefined && error !== undefined) throw error;
    return content === undefined ? undefined : open(content);
  }

  /** The first screen of a site's request. @throws If there is none. */
  async screen(method: string, params: Json): Promise<OpenPart> {
    const shown = await this.#shown(() => this.#snap.dapp(method, params, DAPP));
    if (shown === undefined) throw new Error(`no screen for ${method}`);
    return shown;
  }

  /** The screen of a transaction of the imported account. */
  transaction(fields: Readonly<Record<string, Json>>): Promise<OpenPart> {
    return this.screen('eth_sendTransaction', [{ from: this.eoa.address, gas: '0x30d40', ...fields }]);
  }

  /** The screen of calls of the smart account. */
  calls(calls: readonly { readonly to: Hex; readonly data?: Hex; readonly value?: Hex }[]): Promise<OpenPart> {
    const request = { version: '2.0.0', chainId: '0x1', atomicRequired: true, from: this.smart.address };
    return this.screen('wallet_sendCalls', [{ ...request, calls: calls.map((call) => ({ ...call })) }]);
  }

  /** The screen of typed data that the imported account signs. */
  typedData(data: object): Promise<OpenPart> {
    return this.screen('eth_signTypedData_v4', [this.eoa.address, JSON.parse(JSON.stringify(data)) as Json]);
  }

  /** The screen, if there is one, of a signature that MetaMask requests after its own confirmation. */
  fromWallet(method: string, params: Json, scope = 'eip155:1'): Promise<OpenPart | undefined> {
    return this.#shown(() => this.#snap.submit(this.eoa.id, method, params, scope));
  }
}
