/** A quantity with its decimal point: `decimal(1500n, 3)` is "1.5". Exact, never rounded. */
export { formatUnits as decimal } from 'viem/utils';

/** The largest number of a word: what stands for all there is, or for no end. */
export const MAX_UINT256 = (1n << 256n) - 1n;

/** How many decimals of the chain's own coin one wei is. */
export const ETHER_DECIMALS = 18;

/** "1 call", "2 calls". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
