import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { type Hex, keccak256, pad } from 'viem';
import { getUserOperationHash, type UserOperation } from 'viem/account-abstraction';

import { type FaultyStorage, serveFaultyStorage } from '../support/faulty-storage';
import { bundleReceipt, type Executed, operationEvent } from '../support/operation-event';
import { type SimulatedNode, startSimulatedNode } from '../support/simulated-node';
import { LOCAL_PAGE } from '../support/dapp';
import { DAPP, SnapInProcess } from '../support/wallet/in-process';
import { WalletDouble } from '../support/wallet/wallet-double';
import { startStorageProcess, type StorageProcess } from '../support/storage-process';

export const KEY = `0x${'42'.repeat(32)}`;
/** Without a paymaster service, and with one. */
export const CHAIN = 'eip155:31337';
export const SPONSORED = 'eip155:31338';
/** Served, but not set up. */
export const NEW = 'eip155:31339';
/** A token that describes itself, on every chain. */
export const TOKEN = '0x00000000000000000000000000000000000000cc';
const CREDENTIALS = { key: 'a-key', secret: 'no screen shows this secret' };

const WORD: Hex = `0x${'00'.repeat(32)}`;
const SPONSOR = {
  paymaster: '0x00000000000000000000000000000000000000aa',
  paymasterData: '0x1234',
  paymasterVerificationGasLimit: '0x10000',
  paymasterPostOpGasLimit: '0x1000',
};

/** The name of an `eth_call`, by function selector. */
const CALLED: Readonly<Record<string, string>> = {
  '0x35567e1a': 'getNonce',
  '0xcc2f8452': 'getModulesPaginated',
  '0xa0e67e2b': 'getOwners',
  '0x70a08231': 'balanceOf',
  '0x95d89b41': 'symbol',
  '0x313ce567': 'decimals',
};

/** "TST" as `bytes32`. */
const SYMBOL = `0x545354${'00'.repeat(29)}`;

/** The services of a chain, with a paymaster service only if the chain has one. */
type Services = Readonly<Record<'node' | 'bundler' | 'paymaster', SimulatedNode>>;

/** The operation that was sent last, which its network executed at once. Each request begins before any. */
let executed: Executed | undefined;

/** The hash of an operation for entry point 0.7, from its RPC form. */
function hashOf(operation: Record<string, string>, entryPointAddress: Hex, chainId: number): Hex {
  const fields = Object.entries(operation).map(([name, value]) => [
    name,
    /gas|fee|nonce/iu.test(name) ? BigInt(value) : value,
  ]);
  const userOperation = Object.fromEntries(fields) as UserOperation<'0.7'>;
  return getUserOperationHash({ chainId, entryPointAddress, entryPointVersion: '0.7', userOperation });
}

const startService = (chainId: string): Promise<SimulatedNode> =>
  startSimulatedNode({
    eth_chainId: () => chainId,
    eth_getCode: () => '0x',
    eth_getStorageAt: () => pad('0x0'),
    eth_getBalance: () => '0xde0b6b3a7640000',
    eth_call: ([call]) => {
      const { data } = call as { data?: string };
      if (executed !== undefined && data?.startsWith('0x35567e1a') === true) return pad('0x1');
      // No Safe is deployed.
      if (/^0x(?:cc2f8452|a0e67e2b)/u.test(data ?? '')) return '0x';
      return data === '0x95d89b41' ? SYMBOL : WORD;
    },
    eth_sendRawTransaction: ([raw]) => keccak256(raw as Hex),
    eth_sendUserOperation: ([sent, at]) => {
      const [operation, entryPoint] = [sent as Record<string, Hex>, at as Hex];
      const hash = hashOf(operation, entryPoint, Number(chainId));
      executed = { entryPoint, hash, sender: operation.sender! };
      return hash;
    },
    eth_getLogs: () => (executed === undefined ? [] : [{ ...operationEvent(executed), transactionHash: WORD }]),
    eth_getTransactionReceipt: ([hash]) =>
      hash === WORD && executed !== undefined ? bundleReceipt(WORD, executed) : null,
    eth_estimateUserOperationGas: () => ({
      callGasLimit: '0x10000',
      verificationGasLimit: '0x60000',
      preVerificationGas: '0xc000',
    }),
    pm_getPaymasterStubData: () => SPONSOR,
    pm_getPaymasterData: () => SPONSOR,
  });

async function startServices(chainId: string): Promise<Services> {
  const [node, bundler, paymaster] = [startService(chainId), startService(chainId), startService(chainId)];
  return { node: await node, bundler: await bundler, paymaster: await paymaster };
}

type ChainName = typeof CHAIN | typeof SPONSORED | typeof NEW;
/** What the services of a chain are called in the budget. */
const PREFIXES: Readonly<Record<ChainName, string>> = { [CHAIN]: '', [SPONSORED]: 'sponsored ', [NEW]: 'new ' };

/** The accounts of the world, by kind. */
export type Accounts = Readonly<Record<'derived' | 'imported' | 'smart' | 'importedSmart' | 'safe', KeyringAccount>>;

/** A call of the snap to the wallet or to a service. */
export type Call = {
  /** As listed in the budget, without ids. */
  readonly name: string;
  /** With all sent data, so equal traces are repeated calls. */
  readonly exact: string;
};

/** A wallet with accounts of each kind, chains, a connected site, sent calls and a backup. It records every request. */
export class BudgetWorld {
  readonly #calls: Call[] = [];
  readonly #services: Readonly<Record<ChainName, Services>>;
  readonly #storage: StorageProcess;
  readonly #front: FaultyStorage;
  accounts: Accounts = {} as Accounts;
  /** The CID of the backup. */
  backup!: string;
  /** The unsigned prepared user operations, by account. */
  readonly prepared = new Map<string, Record<string, Json>>();
  readonly #wallet: WalletDouble;
  #running: WalletDouble;

  private constructor(services: Readonly<Record<ChainName, Services>>, storage: StorageProcess, front: FaultyStorage) {
    this.#services = services;
    this.#storage = storage;
    this.#front = front;
    this.#wallet = new WalletDouble({ state: { version: 2 } });
    this.#running = this.#wallet;
    this.#wallet.services = [front.url, ...this.#chainServices().map(([, { url }]) => new URL(url).origin)];
  }

  static async start(): Promise<BudgetWorld> {
    const storage = await startStorageProcess(CREDENTIALS);
    const services = {
      [CHAIN]: await startServices('0x7a69'),
      [SPONSORED]: await startServices('0x7a6a'),
      [NEW]: await startServices('0x7a6b'),
    };
    const world = new BudgetWorld(services, storage, await serveFaultyStorage(storage.url));
    await world.#fill();
    return world;
  }

  async stop(): Promise<void> {
    for (const part of [...this.#chainServices().map(([, service]) => service), this.#front, this.#storage])
      await part.stop();
  }

  /** The parameters of `keystead_setStorage`. */
  settings() {
    return { url: this.#front.url, ...CREDENTIALS };
  }

  /** The parameters of `keystead_setChain`. */
  chain(name: ChainName) {
    const { node, bundler, paymaster } = this.#services[name];
    return {
      chainId: name,
      rpcUrl: node.url,
      bundlerUrl: bundler.url,
      ...(name === SPONSORED && { paymasterUrl: paymaster.url }),
    };
  }

  /** Starts the built snap on the stored state of the world. Every dialog is approved. */
  start(wallet = this.#wallet.clone()): SnapInProcess {
    this.#running = wallet;
    wallet.onRequest = (request) => {
      this.#noteRequest(request);
    };
    return new SnapInProcess(wallet, 'built');
  }

  /** @returns The calls of a request: to the wallet first, in order, then to the services. */
  async traced(request: () => Promise<unknown>): Promise<Call[]> {
    this.#calls.length = 0;
    // Events scheduled by earlier requests have fired by now.
    this.#running.scheduled = [];
    executed = undefined;
    for (const [, { asked }] of this.#chainServices()) asked.length = 0;
    const before = this.#front.requests.length;
    await request();
    const served = this.#chainServices().flatMap(([name, { asked }]) =>
      asked.map(({ method, params }) =>
        callOf(`${name} ${method === 'eth_call' ? calledBy(params) : method}`, [params, name]),
      ),
    );
    const stored = this.#front.requests.slice(before).map((url) => callOf(`storage ${url.split('?')[0]}`, url));
    return [...this.#calls, ...served, ...stored];
  }

  #note(name: string, params: unknown): void {
    this.#calls.push(callOf(name, params));
  }

  /** The services of all chains, by name. */
  #chainServices(): [string, SimulatedNode][] {
    return Object.entries(this.#services).flatMap(([chain, services]) =>
      Object.entries(services).map(([name, service]): [string, SimulatedNode] => [
        PREFIXES[chain as ChainName] + name,
        service,
      ]),
    );
  }

  /** The wallet calls of the trace. State entries are named without ids. */
  #noteRequest({ method, params }: { readonly method: string; readonly params?: unknown }): void {
    if (!method.startsWith('snap_')) {
      this.#note(`wallet ${method}`, params);
      return;
    }
    const { key, path, method: event } = (params ?? {}) as { key?: string; path?: string; method?: string };
    const entry = key === undefined ? (path ?? event) : this.#entryOf(key);
    this.#note(entry === undefined ? method : `${method} ${entry}`, params);
  }

  /** @returns The part of the state, and the kind of an account instead of its id or address. */
  #entryOf(key: string): string {
    const [part = '', one] = key.split('.');
    if (one === undefined || part === 'ends') return part;
    return `${part === 'accounts' ? 'account' : 'history'} ${this.#nameOf(one)}`;
  }

  /** @returns The kind of an account. One that was created within a request is the new one. */
  #nameOf(idOrAddress: string): string {
    const [name = 'new'] =
      Object.entries(this.accounts).find(
        ([, { id, address }]) => id === idOrAddress || address.toLowerCase() === idOrAddress,
      ) ?? [];
    return name;
  }

  async #fill(): Promise<void> {
    const wallet = this.#wallet;
    const snap = this.start(wallet);
    const created = async (options: Record<string, Json>): Promise<KeyringAccount> =>
      (await snap.keyring('keyring_createAccount', { options })) as unknown as KeyringAccount;
    for (const name of [CHAIN, SPONSORED] as const) await snap.keyring('keystead_setChain', this.chain(name));
    const smart = { type: 'eip155:erc4337', chainId: CHAIN };
    await created({ ...smart, chainId: SPONSORED, index: 0 });
    this.accounts = {
      derived: await created({}),
      imported: await created({ privateKey: KEY }),
      smart: await created({ ...smart, index: 0 }),
      importedSmart: await created({ ...smart, privateKey: KEY }),
      safe: await created({ ...smart, kind: 'safe-0.7' }),
    };
    const { smart: smartAccount, derived, imported } = this.accounts;
    wallet.choice = [smartAccount, derived, imported].map(({ id }) => id);
    for (const origin of [DAPP, LOCAL_PAGE])
      await snap.dapp('wallet_requestPermissions', [{ eth_accounts: {} }], origin);
    wallet.choice = undefined;
    expect(await snap.dapp('eth_accounts')).toHaveLength(3);
    await snap.dapp('wallet_switchEthereumChain', [{ chainId: '0x7a69' }]);
    await snap.keyring('keystead_setStorage', this.settings());
    this.backup = ((await snap.keyring('keystead_backUp')) as { cid: string }).cid;
    const sending = { version: '2.0.0', id: 'sent', chainId: '0x7a69', from: imported.address, atomicRequired: false };
    await snap.dapp('wallet_sendCalls', [{ ...sending, calls: [{ to: imported.address, value: '0x1' }] }]);
    for (const [name, account, chain] of [
      ['smart', smartAccount, CHAIN],
      ['importedSmart', this.accounts.importedSmart, CHAIN],
      ['sponsored', smartAccount, SPONSORED],
    ] as const) {
      const intents = [{ to: imported.address, value: '0x1', data: '0x' }];
      const { result } = (await snap.submit(account.id, 'eth_prepareUserOperation', intents, chain)) as {
        result: Record<string, Json>;
      };
      this.prepared.set(name, operationOf(account.address, result));
    }
  }
}

/** The prepared operation, to be patched and signed. */
function operationOf(sender: string, prepared: Record<string, Json>): Record<string, Json> {
  return {
    sender,
    nonce: prepared.nonce!,
    initCode: prepared.initCode!,
    callData: prepared.callData!,
    ...(prepared.gasLimits as Record<string, Json>),
    maxFeePerGas: '0x59682f00',
    maxPriorityFeePerGas: '0x59682f00',
    paymasterAndData: prepared.dummyPaymasterAndData!,
    signature: prepared.dummySignature!,
  };
}

const callOf = (name: string, params: unknown): Call => ({ name, exact: `${name} ${JSON.stringify(params)}` });

/** @returns The name of an `eth_call`. */
function calledBy([call]: readonly unknown[]): string {
  const selector = (call as { data?: string } | undefined)?.data?.slice(0, 10) ?? '';
  return `eth_call ${CALLED[selector] ?? selector}`.trimEnd();
}
