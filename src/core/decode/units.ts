import { formatEther, formatGwei } from 'viem/utils';

/** @param wei - An amount of the chain's own coin, which is called ETH on most. */
export const ether = (wei: bigint): string => `${formatEther(wei)} ETH (or the chain's own coin)`;

/** @param wei - A price per gas. */
export const gwei = (wei: bigint): string => `${formatGwei(wei)} gwei`;
