import { createPublicClient, createWalletClient, defineChain, type Hex, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { InvalidParamsError } from '../core/errors';
import { isSiteMethod, SITE_METHODS, type SiteMethodName } from '../core/methods/sites';
import { CODES, ProviderRpcError, toProviderRpcError } from '../provider/rpc-error';
import { type RequestArguments } from '../provider/types';

/** The chain of development nodes, on which coins are worth nothing. */
const DEVELOPMENT_CHAIN = 31337;

/** The first key of the phrase that development nodes use (`test test … junk`). Everybody knows it. */
const KNOWN_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/**
 * The options of {@link createTestProvider}.
 *
 * @example
 * import { type TestProviderOptions } from 'keystead/testing';
 *
 * const options: TestProviderOptions = { rpcUrl: 'http://127.0.0.1:8545' };
 */
export type TestProviderOptions = {
  /** The URL of the node that answers reads and gets the transactions. */
  readonly rpcUrl: string;
  /** The account's key. Defaults to the first of development nodes, which has coins there. */
  readonly privateKey?: `0x${string}`;
  /** The chain id of the node. Defaults to 31337, and must be that unless `allowAnyChain` is set. */
  readonly chainId?: number;
  /**
   * Lets the provider approve by itself on a chain where that may cost something. With the default key, anyone can take
   * what its account has there.
   */
  readonly allowAnyChain?: true;
};

/**
 * A provider that approves everything by itself.
 *
 * @example
 * import { createTestProvider, type TestProvider } from 'keystead/testing';
 *
 * const provider: TestProvider = createTestProvider({ rpcUrl: 'http://127.0.0.1:8545' });
 */
export type TestProvider = {
  readonly address: `0x${string}`;
  /** EIP-1193. Rejects with an error that has a `code`, as Keystead's provider does. */
  readonly request: (args: { readonly method: string; readonly params?: unknown }) => Promise<unknown>;
  /** Has the next request that a person would be asked about rejected, with 4001. */
  readonly rejectNext: () => void;
  /** What a person would have been asked about, in order. */
  readonly asked: readonly { readonly method: string; readonly params?: unknown }[];
};

type Transaction = { readonly to?: Hex | null; readonly data?: Hex; readonly value?: Hex; readonly gas?: Hex };
type Batch = { readonly atomicRequired?: boolean; readonly calls: readonly Transaction[]; readonly id?: string };

/** Whether a person is asked. The network of the node is there already, so nobody is asked about adding it. */
const asks = (method: string): boolean =>
  isSiteMethod(method) && SITE_METHODS[method].asks === true && method !== 'wallet_addEthereumChain';
/** Methods of nodes that change nothing and sign nothing. */
const READS = /^(?:eth_(?!sign|sendTransaction|accounts)|net_|web3_)/u;

const refusal = (code: number, message: string): ProviderRpcError => new ProviderRpcError(code, message);

/** @throws {InvalidParamsError} If the chain is not the one of development nodes, and none other is allowed. */
function checkedChain({ chainId = DEVELOPMENT_CHAIN, allowAnyChain }: TestProviderOptions): number {
  if (chainId !== DEVELOPMENT_CHAIN && allowAnyChain !== true)
    throw new InvalidParamsError(
      'chainId',
      `must be ${DEVELOPMENT_CHAIN}: this provider approves everything by itself. Set allowAnyChain to use it elsewhere`,
    );
  return chainId;
}

/**
 * Creates a provider for the tests of a dapp. It answers like Keystead's for a standard account, and approves
 * everything by itself, so it refuses any chain but 31337. No wallet and no snap is behind it: it tests the dapp.
 *
 * @param options - See {@link TestProviderOptions}.
 * @returns The provider. It answers 4100 until the page asks for accounts.
 * @throws {InvalidParamsError} If the chain is another one.
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * import { createTestProvider } from 'keystead/testing';
 *
 * const provider = createTestProvider({ rpcUrl: 'http://127.0.0.1:8545' });
 * const accounts = await provider.request({ method: 'eth_requestAccounts' });
 */
export function createTestProvider(options: TestProviderOptions): TestProvider {
  const chainId = checkedChain(options);
  const account = privateKeyToAccount(options.privateKey ?? KNOWN_KEY);
  const chain = defineChain({
    id: chainId,
    name: 'Test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [options.rpcUrl] } },
  });
  const node = createPublicClient({ chain, transport: http(), pollingInterval: 50 });
  const signer = createWalletClient({ account, chain, transport: http() });
  const chainHex = `0x${chainId.toString(16)}` as const;
  const asked: RequestArguments[] = [];
  const batches = new Map<string, readonly Hex[]>();
  let isConnected = false;
  let rejections = 0;

  let checking: Promise<void> | undefined;
  /** @throws {ProviderRpcError} If the node serves another chain, where something could be lost. */
  const checkNode = (): Promise<void> =>
    (checking ??= node.getChainId().then((served) => {
      if (served !== chainId) throw refusal(CODES.internal, `The node serves chain ${served}, not ${chainId}.`);
    }));

  const send = async ({ to, data, value, gas }: Transaction): Promise<Hex> => {
    await checkNode();
    return signer.sendTransaction({
      to: to ?? null,
      ...(data !== undefined && { data }),
      ...(value !== undefined && { value: BigInt(value) }),
      ...(gas !== undefined && { gas: BigInt(gas) }),
    });
  };

  const sendCalls = async ({ atomicRequired, calls, id }: Batch): Promise<{ readonly id: string }> => {
    if (atomicRequired === true && calls.length > 1)
      throw refusal(5760, 'atomicRequired: must be false: a standard account sends one transaction for each call');
    const name = id ?? `0x${(batches.size + 1).toString(16).padStart(64, '0')}`;
    if (batches.has(name)) throw refusal(5720, 'id: calls with this id were already sent');
    const hashes: Hex[] = [];
    for (const call of calls) {
      const hash = await send(call);
      await node.waitForTransactionReceipt({ hash });
      hashes.push(hash);
    }
    batches.set(name, hashes);
    return { id: name };
  };

  const callsStatus = async (id: string): Promise<unknown> => {
    const hashes = batches.get(id);
    if (hashes === undefined) throw refusal(5730, 'id: this site has sent no calls with this id');
    const found = await Promise.all(
      hashes.map((hash) => node.request({ method: 'eth_getTransactionReceipt', params: [hash] })),
    );
    const receipts = found.filter((receipt) => receipt !== null);
    const failed = receipts.filter(({ status }) => status !== '0x1').length;
    const ended = failed === 0 ? 200 : 500;
    const status = failed > 0 && failed < receipts.length ? 600 : ended;
    return { version: '2.0.0', id, chainId: chainHex, status, atomic: hashes.length === 1, receipts };
  };

  const permissions = (): unknown =>
    isConnected
      ? [
          {
            parentCapability: 'eth_accounts',
            caveats: [{ type: 'restrictReturnedAccounts', value: [account.address] }],
          },
        ]
      : [];

  const accounts = (): readonly Hex[] => (isConnected ? [account.address] : []);
  const connect = <Answer>(answer: () => Answer): Answer => {
    isConnected = true;
    return answer();
  };

  /** The account is only given to a page that is connected. */
  const own = (address: unknown): void => {
    if (!isConnected || String(address).toLowerCase() !== account.address.toLowerCase())
      throw refusal(CODES.unauthorized, 'This site is not connected to this account. Call eth_requestAccounts first.');
  };

  type Params = readonly unknown[];
  const METHODS: Readonly<Partial<Record<SiteMethodName, (params: Params) => unknown>>> = {
    eth_requestAccounts: () => connect(accounts),
    wallet_requestPermissions: () => connect(permissions),
    eth_accounts: accounts,
    wallet_getPermissions: permissions,
    wallet_revokePermissions: () => {
      isConnected = false;
      return null;
    },
    eth_chainId: () => chainHex,
    net_version: () => chainId.toString(),
    personal_sign: ([message, address]) => {
      own(address);
      return account.signMessage({ message: { raw: message as Hex } });
    },
    eth_signTypedData_v4: ([address, data]) => {
      own(address);
      return account.signTypedData((typeof data === 'string' ? JSON.parse(data) : data) as never);
    },
    eth_sendTransaction: ([transaction]) => {
      own((transaction as { readonly from?: unknown }).from);
      return send(transaction as Transaction);
    },
    wallet_sendCalls: ([batch]) => {
      own((batch as { readonly from?: unknown }).from ?? accounts()[0]);
      return sendCalls(batch as Batch);
    },
    wallet_getCallsStatus: ([id]) => callsStatus(String(id)),
    wallet_getCapabilities: ([address]) => {
      own(address);
      return { [chainHex]: { atomic: { status: 'unsupported' } } };
    },
    wallet_watchAsset: () => true,
    wallet_switchEthereumChain: ([wanted]) => {
      if (BigInt((wanted as { readonly chainId: Hex }).chainId) === BigInt(chainId)) return null;
      throw refusal(4902, `This provider knows no chain but ${chainId}.`);
    },
    wallet_addEthereumChain: ([wanted]) => METHODS.wallet_switchEthereumChain?.([wanted]),
  };

  const answer = (method: string, params: unknown): unknown => {
    const own = isSiteMethod(method) ? METHODS[method] : undefined;
    if (own !== undefined) return own(Array.isArray(params) ? params : [params]);
    if (READS.test(method)) return node.request({ method, params } as never);
    const code = method.startsWith('wallet_') ? CODES.methodNotFound : CODES.unsupportedMethod;
    throw refusal(code, `method: the provider for tests does not support ${method}`);
  };

  return {
    address: account.address,
    asked,
    rejectNext: () => {
      rejections++;
    },
    request: async ({ method, params }) => {
      try {
        if (asks(method)) {
          asked.push({ method, ...(params !== undefined && { params: params as object }) });
          if (rejections > 0) {
            rejections--;
            throw refusal(4001, 'You rejected the request.');
          }
        }
        return await answer(method, params);
      } catch (error) {
        // viem keeps the answer of a node in its causes.
        const { walk } = error as { readonly walk?: (is: (cause: unknown) => boolean) => unknown };
        const cause = walk?.call(error, (one) => typeof (one as { readonly code?: unknown }).code === 'number');
        throw toProviderRpcError(cause ?? error);
      }
    },
  };
}
