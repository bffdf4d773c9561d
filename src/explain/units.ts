const ETHER_DECIMALS = 18;

/** A quantity with its decimal point: `decimal(1500n, 3)` is "1.5". Exact, never rounded. */
export function decimal(quantity: bigint, decimals: number): string {
  const digits = quantity.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/u, '');
  const whole = digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** @param wei - An amount of the chain's own coin, which is called ETH on most. */
export const ether = (wei: bigint): string => `${decimal(wei, ETHER_DECIMALS)} ETH (or the chain's own coin)`;

/** @param wei - A price per gas. */
export const gwei = (wei: bigint): string => `${decimal(wei, 9)} gwei`;
