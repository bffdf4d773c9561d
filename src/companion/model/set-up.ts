import { type Session } from './session';
import { type SnapClient } from './snap-client';
import { type Devnet, type StorageSettings } from './types';

/** The symbol of every devnet's native coin. */
const SYMBOL = 'ETH';

/**
 * @returns Whether the snap uses the network of this devnet. Compares the URL too: a devnet without saved state has a
 * new key at each start, so the old URL no longer works.
 */
export const isNetworkSetUp = ({ chain }: Devnet, chains: Session['chains']): boolean =>
  chains.some(({ chainId, rpcUrl }) => chainId === chain.chainId && rpcUrl === chain.rpcUrl);

/** Adds the devnet's network to the snap, which asks first. @returns A message that says what was done. */
export async function setUpNetwork(client: SnapClient, { chain }: Devnet): Promise<string> {
  const { name, chainId, rpcUrl, bundlerUrl, paymasterUrl } = chain;
  // Without a bundler there is nothing that a paymaster could pay for.
  const services =
    bundlerUrl === undefined ? { rpcUrl } : { rpcUrl, bundlerUrl, ...(paymasterUrl !== undefined && { paymasterUrl }) };
  await client.dapp('keystead_setChain', { chainId, name, symbol: SYMBOL, ...services });
  return bundlerUrl === undefined
    ? `${name} is set up. It runs without a bundler, so smart accounts cannot send.`
    : `${name} is set up.`;
}

/** @returns The storage service of this devnet, unless the snap uses it or there is none. */
export const unusedStorage = (devnet: Devnet | undefined, storage: Session['storage']): StorageSettings | undefined => {
  const offered = devnet?.storage;
  return offered === undefined || (storage?.url === offered.url && storage.key === offered.key) ? undefined : offered;
};
