import { formatEther, formatGwei } from 'viem/utils';

/** @param wei - An amount of the network's native coin, which most networks call ETH. */
export const ether = (wei: bigint): string => `${formatEther(wei)} ETH (or the network's coin)`;

/** @param wei - A price per gas. */
export const gwei = (wei: bigint): string => `${formatGwei(wei)} gwei`;
