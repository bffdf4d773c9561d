import { type Chain } from 'viem';
import { foundry } from 'viem/chains';

/**
 * viem's anvil chain. anvil mines each transaction immediately and makes no other blocks. Looking for a replacement
 * transaction would therefore wait forever for the next block, so it is disabled in viem.
 */
export const DEVELOPMENT_CHAIN: Chain = { ...foundry, supportsTransactionReplacementDetection: false };
