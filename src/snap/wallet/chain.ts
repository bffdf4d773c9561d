import { WalletRefusedError } from '../../core/errors';
import { type Hex, quantityToHex } from '../../core/eth/bytes';
import { Mutex } from '../../core/mutex';

/** Looks up addresses through MetaMask's own node. */
export type ChainReader = {
  /**
   * @param chainId - The chain to query. Default: the snap's current one.
   * @returns Whether the address has sent a transaction or has a balance.
   * @throws {WalletRefusedError} If MetaMask does not know the chain, or its node does not respond.
   */
  readonly isUsed: (address: Hex, chainId?: bigint) => Promise<boolean>;
};

const isZero = (quantity: unknown): boolean => typeof quantity === 'string' && /^0x0*$/u.test(quantity);

/** All requests of a snap share one selected network, which is independent of the dapp's. */
const network = new Mutex();

const currentChain = async (): Promise<bigint> => BigInt((await ethereum.request({ method: 'eth_chainId' })) as string);

const switchTo = (chainId: bigint): Promise<unknown> =>
  ethereum.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: quantityToHex(chainId) }] });

async function isUsedHere(address: Hex): Promise<boolean> {
  const [nonce, balance] = await Promise.all([
    ethereum.request({ method: 'eth_getTransactionCount', params: [address, 'latest'] }),
    ethereum.request({ method: 'eth_getBalance', params: [address, 'latest'] }),
  ]);
  return !isZero(nonce) || !isZero(balance);
}

/** Queries another chain and then restores the selected one. */
async function isUsedOn(chainId: bigint, address: Hex): Promise<boolean> {
  const selected = await currentChain();
  if (selected === chainId) return isUsedHere(address);
  await switchTo(chainId);
  try {
    return await isUsedHere(address);
  } finally {
    await switchTo(selected);
  }
}

async function isUsed(address: Hex, chainId?: bigint): Promise<boolean> {
  try {
    return await network.runExclusive(() => (chainId === undefined ? isUsedHere(address) : isUsedOn(chainId, address)));
  } catch {
    throw new WalletRefusedError(
      `The wallet could not look up ${address} on ${chainId === undefined ? 'its current chain' : `eip155:${chainId}`}.`,
    );
  }
}

export const walletChain: ChainReader = { isUsed };
