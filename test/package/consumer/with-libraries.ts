// viem and ethers accept the provider without casts.
import { BrowserProvider } from 'ethers';
import { createKeysteadProvider } from 'keystead/provider';
import { createWalletClient, custom, type EIP1193Provider } from 'viem';
import { mainnet } from 'viem/chains';

const provider = createKeysteadProvider();

export const viem = createWalletClient({ chain: mainnet, transport: custom(provider) });
export const ethers = new BrowserProvider(provider);
/** A viem client is accepted as a node. */
export const reading = createKeysteadProvider({ nodes: { 1: viem } });
export const asViem = (provider: EIP1193Provider) => createKeysteadProvider({ wallet: provider });
