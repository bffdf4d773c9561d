import { formatEther } from 'viem/utils';

/** Decimals of ether: 1 ETH is 10^18 wei. */
const ETHER_DECIMALS = 18;

/** @returns The amount in ether, truncated (not rounded) to six decimals. */
export function shortEther(wei: bigint): string {
  const [whole = '0', fraction = ''] = formatEther(wei).split('.');
  const shown = fraction.slice(0, 6).replace(/0+$/u, '');
  return shown === '' ? whole : `${whole}.${shown}`;
}

/** @returns The amount in wei, or undefined if the text is not an amount of ether. */
export function parseEther(text: string): bigint | undefined {
  const [matched, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{0,18}))?$/u.exec(text.trim()) ?? [];
  return matched === undefined ? undefined : BigInt(whole + fraction.padEnd(ETHER_DECIMALS, '0'));
}

/** @returns A count with its noun, such as "1 account" or "1,077 bytes". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** @param chainId - A CAIP-2 chain id, `eip155:<number>`. @returns Its number. */
export const numberOf = (chainId: string): bigint => BigInt(chainId.slice('eip155:'.length));

/** @returns The chain id as a hex quantity, which the wallet's methods use. */
export const hexChainOf = (chainId: string): `0x${string}` => `0x${numberOf(chainId).toString(16)}`;
