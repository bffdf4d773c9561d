import { WalletRefusedError } from '../errors';
import { type Hex, quantityToHex } from '../eth/bytes';

/** What the wallet's own node tells about an address. */
export type ChainReader = {
  /**
   * @param chainId - The chain to ask; the snap's current one if left out.
   * @returns Whether the address has sent a transaction or holds the chain's coin.
   * @throws {WalletRefusedError} If the wallet does not know the chain, or its node does not answer.
   */
  readonly isUsed: (address: Hex, chainId?: bigint) => Promise<boolean>;
};

const isZero = (quantity: unknown): boolean => typeof quantity === 'string' && /^0x0*$/u.test(quantity);

async function isUsed(address: Hex, chainId?: bigint): Promise<boolean> {
  try {
    // A snap has a selected network of its own: it is not the dapp's.
    if (chainId !== undefined) {
      await ethereum.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: quantityToHex(chainId) }] });
    }
    const [nonce, balance] = await Promise.all([
      ethereum.request({ method: 'eth_getTransactionCount', params: [address, 'latest'] }),
      ethereum.request({ method: 'eth_getBalance', params: [address, 'latest'] }),
    ]);
    return !isZero(nonce) || !isZero(balance);
  } catch {
    throw new WalletRefusedError(
      `The wallet could not look up ${address} on ${chainId === undefined ? 'its current chain' : `eip155:${chainId}`}.`,
    );
  }
}

export const walletChain: ChainReader = { isUsed };
