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
  return () => {
    window.removeEventListener('eip6963:announceProvider', listen as EventListener);
  };
}

/**
 * Connects this page to an account of a wallet, on a network. The wallet asks first.
 *
 * @returns The address of the account.
 * @throws If the wallet does not have the network, or has no account for this page.
 */
export async function connectOn(wallet: AnyWallet, chainId: bigint): Promise<`0x${string}`> {
  const [account] = await wallet.request<readonly `0x${string}`[]>('eth_requestAccounts');
  if (account === undefined) throw new Error(`${wallet.name} gave this page no account.`);
  const wanted = `0x${chainId.toString(16)}`;
  if (BigInt(await wallet.request<string>('eth_chainId')) !== chainId)
    await wallet.request('wallet_switchEthereumChain', [{ chainId: wanted }]);
  if (BigInt(await wallet.request<string>('eth_chainId')) !== chainId)
    throw new Error(`${wallet.name} is not on network ${chainId}. Switch it there and try again.`);
  return account;
}

/** Milliseconds between two looks at a transaction. */
const PAUSE = 1000;

/**
 * Sends a transaction with a wallet, and waits until the network has included it.
 *
 * @throws If the wallet rejects it, or it failed.
 */
export async function sendAndWait(
  wallet: AnyWallet,
  from: string,
  { to, data }: { readonly to: string; readonly data: string },
): Promise<void> {
  const hash = await wallet.request<string>('eth_sendTransaction', [{ from, to, data, value: '0x0' }]);
  for (;;) {
    const receipt = await wallet.request<{ readonly status: string } | null>('eth_getTransactionReceipt', [hash]);
    if (receipt !== null) {
      if (BigInt(receipt.status) !== 1n) throw new Error('The transaction was included, but failed. Nothing changed.');
      return;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE);
    });
  }
}
