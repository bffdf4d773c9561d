import { networkOf } from '../../core/networks/network';
import { type Eip1193Provider } from '../../provider/types';

/** A wallet that has announced itself (EIP-6963), whichever it is. */
export type AnyWallet = {
  readonly id: string;
  /** The name that it gives itself. */
  readonly name: string;
  readonly request: <T>(method: string, params?: unknown) => Promise<T>;
};

type Detail = {
  readonly info: { readonly rdns: string; readonly uuid: string; readonly name: string };
  readonly provider: Eip1193Provider;
};

/** A name is no longer than this on the page. */
const MAX_NAME = 40;

const toWallet = ({ info, provider }: Detail): AnyWallet => ({
  id: info.uuid,
  name: info.name.slice(0, MAX_NAME),
  request: async <T>(method: string, params?: unknown) =>
    (await provider.request({ method, ...(params !== undefined && { params: params as object }) })) as T,
});

/** Reports each wallet that is present or announces itself later. @returns A function that stops watching. */
export function watchAnyWallet(onWallet: (wallet: AnyWallet) => void): () => void {
  const listen = ({ detail }: CustomEventInit<Detail>): void => {
    if (detail !== undefined) onWallet(toWallet(detail));
  };
  window.addEventListener('eip6963:announceProvider', listen as EventListener);
  window.dispatchEvent(new Event('eip6963:requestProvider'));
  return () => window.removeEventListener('eip6963:announceProvider', listen as EventListener);
}

/** The wallet does not have the network (EIP-3326). */
const UNKNOWN_NETWORK = 4902;
/** It does not know the method, in the words of two generations of wallets. */
const UNKNOWN_METHODS: readonly unknown[] = [-32_601, 4200];

type WalletError = {
  readonly code?: unknown;
  readonly data?: { readonly originalError?: { readonly code?: unknown } };
};

/** The code of a wallet's error; some wallets wrap it in an internal one. */
const codeOf = (error: unknown): unknown => {
  const { code, data } = (error ?? {}) as WalletError;
  return data?.originalError?.code ?? code;
};

/** The network of a page: what a wallet needs in order to add it. */
export type KnownChain = { readonly name: string; readonly rpcUrl: string };

/** Has the wallet select a network, and add it first if this page knows a node of it. */
async function select(wallet: AnyWallet, chainId: bigint, known: KnownChain | undefined): Promise<void> {
  const wanted = { chainId: `0x${chainId.toString(16)}` };
  try {
    await wallet.request('wallet_switchEthereumChain', [wanted]);
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_NETWORK) throw error;
    const { name, symbol } = networkOf(chainId);
    if (known === undefined)
      throw new Error(`${wallet.name} does not have ${name}. Add that network there, then connect again.`, {
        cause: error,
      });
    await wallet.request('wallet_addEthereumChain', [
      {
        ...wanted,
        chainName: known.name,
        rpcUrls: [known.rpcUrl],
        nativeCurrency: { name: symbol, symbol, decimals: 18 },
      },
    ]);
    await wallet.request('wallet_switchEthereumChain', [wanted]);
  }
}

/** Has the wallet ask which accounts this page may see, also if it was asked before. */
async function choose(wallet: AnyWallet): Promise<void> {
  try {
    await wallet.request('wallet_requestPermissions', [{ eth_accounts: {} }]);
  } catch (error) {
    // Such a wallet has its accounts chosen in its own window.
    if (!UNKNOWN_METHODS.includes(codeOf(error))) throw error;
  }
}

/** @throws If the wallet has selected another network. @param name - What the page calls the network. */
export async function assertOn(
  wallet: AnyWallet,
  chainId: bigint,
  name: string = networkOf(chainId).name,
): Promise<void> {
  if (BigInt(await wallet.request<string>('eth_chainId')) !== chainId)
    throw new Error(`${wallet.name} is not on ${name}. Switch it there and try again.`);
}

/** How a page is connected to a wallet. */
export type ConnectOptions = {
  /** The person wants another account than before. */
  readonly again: boolean;
  /** What the page knows of the network, if anything. */
  readonly known?: KnownChain | undefined;
};

/**
 * Connects this page to an account of a wallet, on a network. The wallet asks first.
 *
 * @param chainId - Undefined for whichever network the wallet has selected.
 * @returns The address of the account.
 * @throws If the wallet does not have the network and the page does not know it either, or the wallet has no account
 * for this page.
 */
export async function connectOn(
  wallet: AnyWallet,
  chainId: bigint | undefined,
  { again, known }: ConnectOptions,
): Promise<`0x${string}`> {
  if (again) await choose(wallet);
  const [account] = await wallet.request<readonly `0x${string}`[]>('eth_requestAccounts');
  if (account === undefined) throw new Error(`${wallet.name} gave this page no account.`);
  if (chainId === undefined) return account;
  const assertThere = (): Promise<void> => assertOn(wallet, chainId, known?.name);
  await assertThere().catch(() => select(wallet, chainId, known));
  await assertThere();
  return account;
}

/** A call without value, as a wallet sends it. */
export type AnyCall = { readonly to: string; readonly data: string };

/**
 * @returns What a transaction would cost now, in wei, as the wallet's node says. The wallet may choose another price.
 * @throws If the wallet does not say it.
 */
export async function feeOf({ request }: AnyWallet, from: string, { to, data }: AnyCall): Promise<bigint> {
  const [gas, price] = await Promise.all([
    request<string>('eth_estimateGas', [{ from, to, data }]),
    request<string>('eth_gasPrice'),
  ]);
  return BigInt(gas) * BigInt(price);
}

/** Milliseconds between two looks at a transaction. */
const PAUSE = 1000;

/**
 * Sends a transaction with a wallet, and waits until the network has included it.
 *
 * @throws If the wallet has selected another network since it was connected, rejects the transaction, or it failed.
 */
export async function sendAndWait(
  wallet: AnyWallet,
  from: string,
  { to, data }: AnyCall,
  chainId: bigint,
): Promise<void> {
  await assertOn(wallet, chainId);
  const hash = await wallet.request<string>('eth_sendTransaction', [{ from, to, data, value: '0x0' }]);
  for (;;) {
    const receipt = await wallet.request<{ readonly status: string } | null>('eth_getTransactionReceipt', [hash]);
    if (receipt !== null) {
      if (BigInt(receipt.status) !== 1n) throw new Error('The transaction was included, but failed. Nothing changed.');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
