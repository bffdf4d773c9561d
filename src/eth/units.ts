/** A quantity with its decimal point: `decimal(1500n, 3)` is "1.5". Exact, never rounded. */
export function decimal(quantity: bigint, decimals: number): string {
  if (decimals === 0) return quantity.toString();
  const digits = quantity.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/u, '');
  const whole = digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The largest number of a word: what stands for all there is, or for no end. */
export const MAX_UINT256 = (1n << 256n) - 1n;

/** How many decimals of the chain's own coin one wei is. */
export const ETHER_DECIMALS = 18;

/** "1 call", "2 calls". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
