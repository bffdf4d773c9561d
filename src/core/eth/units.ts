/**
 * The largest 256-bit number, which often means "unlimited" or "never expires".
 *
 * @example
 * ```ts
 * MAX_UINT256 + 1n; // => 2n ** 256n
 * ```
 */
export const MAX_UINT256 = (1n << 256n) - 1n;

/**
 * "1 call", "2 calls".
 *
 * @example
 * ```ts
 * counted(1, 'call'); // => '1 call'
 * counted(2, 'call'); // => '2 calls'
 * counted(2, 'entry', 'entries'); // => '2 entries'
 * ```
 */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
