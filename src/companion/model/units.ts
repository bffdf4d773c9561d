import { formatEther } from 'viem/utils';

/** How many decimals of the chain's own coin one wei is. */
const ETHER_DECIMALS = 18;

/** @returns Ether, cut (not rounded up) after six places for the eye. */
export function shortEther(wei: bigint): string {
  const [whole = '0', fraction = ''] = formatEther(wei).split('.');
  const shown = fraction.slice(0, 6).replace(/0+$/u, '');
  return shown === '' ? whole : `${whole}.${shown}`;
}

/** @returns wei, or undefined if the text is no amount of ether. */
export function parseEther(text: string): bigint | undefined {
  const [matched, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{0,18}))?$/u.exec(text.trim()) ?? [];
  return matched === undefined ? undefined : BigInt(whole + fraction.padEnd(ETHER_DECIMALS, '0'));
}

/** @returns "1 account", "2 accounts". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The number of `eip155:<number>`. */
export const numberOf = (chainId: string): bigint => BigInt(chainId.slice('eip155:'.length));

/** The same as the wallet's methods name it: a hex quantity. */
export const hexChainOf = (chainId: string): `0x${string}` => `0x${numberOf(chainId).toString(16)}`;
