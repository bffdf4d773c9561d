import { formatUnits, parseUnits } from 'viem/utils';

import { grouped } from '../../core/eth/units';

/** Decimals of the native coin: 1 ETH is 10^18 wei. */
export const COIN_DECIMALS = 18;
const SHOWN_DECIMALS = 6;

/**
 * @param amount - In the smallest unit.
 * @returns The amount in whole units, truncated (not rounded) to six decimals; "<0.000001" for anything smaller.
 */
export function formatAmount(amount: bigint, decimals = COIN_DECIMALS): string {
  const [whole = '0', fraction = ''] = formatUnits(amount, decimals).split('.');
  const shown = fraction.slice(0, SHOWN_DECIMALS).replace(/0+$/u, '');
  if (shown !== '') return grouped(`${whole}.${shown}`);
  return amount > 0n && whole === '0' ? `<0.${'0'.repeat(SHOWN_DECIMALS - 1)}1` : grouped(whole);
}

/** @returns The amount exactly, as a field takes it: without separators. */
export const plainAmount = (amount: bigint, decimals = COIN_DECIMALS): string => formatUnits(amount, decimals);

/** @returns The amount in the smallest unit, or undefined if the text is not an amount, or has too many decimals. */
export function parseAmount(text: string, decimals = COIN_DECIMALS): bigint | undefined {
  const [matched, , fraction = ''] = /^(\d{1,30})(?:\.(\d*))?$/u.exec(text.trim()) ?? [];
  return matched === undefined || fraction.length > decimals ? undefined : parseUnits(matched, decimals);
}

/** @returns A count with its noun, such as "1 account" or "1,077 bytes". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** @param chainId - A CAIP-2 chain id, `eip155:<number>`. @returns Its number. */
export const numberOf = (chainId: string): bigint => BigInt(chainId.slice('eip155:'.length));

/** @returns The CAIP-2 chain id of a network's number; anything else as it is. */
export const chainIdOf = (text: string): string => (/^\d+$/u.test(text) ? `eip155:${text}` : text);

/** @returns The chain id as a hex quantity, which the wallet's methods use. */
export const hexChainOf = (chainId: string): `0x${string}` => `0x${numberOf(chainId).toString(16)}`;
