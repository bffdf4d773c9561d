import { decimal, ETHER_DECIMALS } from '../eth/units';

/** @param wei - An amount of the chain's own coin, which is called ETH on most. */
export const ether = (wei: bigint): string => `${decimal(wei, ETHER_DECIMALS)} ETH (or the chain's own coin)`;

/** @param wei - A price per gas. */
export const gwei = (wei: bigint): string => `${decimal(wei, 9)} gwei`;
