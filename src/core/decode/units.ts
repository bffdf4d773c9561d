import { formatEther, formatGwei } from 'viem/utils';

/**
 * @param wei - An amount of the network's native coin, which most networks call ETH.
 *
 * @example
 * ```ts
 * ether(10n ** 18n).startsWith('1 ETH'); // => true
 * ```
 */
export const ether = (wei: bigint): string => `${formatEther(wei)} ETH (or the network's coin)`;

/**
 * @param wei - A price per gas.
 *
 * @example
 * ```ts
 * gwei(20n * 10n ** 9n); // => '20 gwei'
 * ```
 */
export const gwei = (wei: bigint): string => `${formatGwei(wei)} gwei`;
