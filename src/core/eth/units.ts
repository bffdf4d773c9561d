/** The largest 256-bit number, which often means "unlimited" or "never expires". */
export const MAX_UINT256 = (1n << 256n) - 1n;

/** "1 call", "2 calls". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
