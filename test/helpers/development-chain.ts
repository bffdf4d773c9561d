import { type Chain } from 'viem';
import { foundry } from 'viem/chains';

/**
 * anvil, as viem has it. It makes a block of what it is sent at once, and no other: who looks for a replacement of a
 * transaction while that block comes would wait for the next one for ever, so viem is told that there are none.
 */
export const DEVELOPMENT_CHAIN: Chain = { ...foundry, supportsTransactionReplacementDetection: false };
