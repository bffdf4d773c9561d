import { formatUnits } from 'viem/utils';

import { hasPlausibleChecksum } from '../eth/checksum';
import { type Hex } from '../eth/bytes';
import { counted } from '../eth/units';
import { bodyText, isTruncated, quotable } from './text';
import { declaredTokenAt, tokenAt, type TokenScene } from './tokens';
import { type Findings } from './dangers';
import { type Explanation, type Line } from './types';
import { gwei, nativeAmount } from './units';

/**
 * The longest quotation that a line shows, in characters.
 *
 * @example
 * ```ts
 * MAX_QUOTE; // => 500
 * ```
 */
export const MAX_QUOTE = 500;

/**
 * @example
 * ```ts
 * text('Nonce', '7'); // => { kind: 'text', label: 'Nonce', value: '7' }
 * ```
 */
export const text = (label: string, value: string): Line => ({ kind: 'text', label, value });

/**
 * An address in any spelling. The screen adds the checksum: computing it here would cost a hash for each line.
 *
 * @example
 * ```ts
 * const signer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * address('Account', signer); // => { kind: 'address', label: 'Account', value: signer }
 * ```
 */
export const address = (label: string, value: Hex): Line => ({ kind: 'address', label, value });

/**
 * Text from a third party, made safe to display.
 *
 * @param source - Who wrote it, such as "the site".
 *
 * @example
 * ```ts
 * quote('Statement', 'Welcome “back”', 'the site').value; // => 'Welcome "back"'
 * ```
 */
export const quote = (label: string, value: string, source: string): Line => ({
  kind: 'quote',
  label,
  value: quotable(value, MAX_QUOTE),
  source,
});

/**
 * Warns of an address whose mixed case is not the checksum of EIP-55.
 *
 * @param who - The subject of the warning.
 *
 * @example
 * ```ts
 * import { Findings } from './dangers';
 * const findings = new Findings();
 * checkSpelling('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'The recipient', findings);
 * findings.warnings.length; // => 0
 * checkSpelling('0x70997970C51812dc3A010C7d01b50e0d17dc79c8', 'The recipient', findings);
 * findings.warnings.length; // => 1
 * ```
 */
export function checkSpelling(value: Hex, who: string, findings: Findings): void {
  if (!hasPlausibleChecksum(value)) findings.warn(`${who} fails its checksum (EIP-55). A character may be mistyped.`);
}

/**
 * The fees of EIP-1559, wei per gas.
 *
 * @example
 * ```ts
 * const lines = dynamicFeeLines({ maxFeePerGas: 20n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n });
 * lines.map(({ value }) => value); // => ['20 gwei', '1 gwei']
 * ```
 */
export const dynamicFeeLines = (fees: Readonly<Record<'maxFeePerGas' | 'maxPriorityFeePerGas', bigint>>): Line[] => [
  text('Max fee per gas', gwei(fees.maxFeePerGas)),
  text('Max priority fee per gas', gwei(fees.maxPriorityFeePerGas)),
];

/**
 * Warns that a screen shows only the beginning of something.
 *
 * @param what - The subject of the warning.
 *
 * @example
 * ```ts
 * import { Findings } from './dangers';
 * const findings = new Findings();
 * warnOfTruncation('This message', findings);
 * findings.warnings.length; // => 1
 * ```
 */
export const warnOfTruncation = (what: string, findings: Findings): void => {
  findings.warn(`${what} is too long to show in full. You see only the beginning.`);
};

/**
 * Call data to copy, with a warning where it is truncated.
 *
 * @example
 * ```ts
 * import { Findings } from './dangers';
 * dataBody('Data', '0xa9059cbb', new Findings()); // => { label: 'Data', text: '0xa9059cbb' }
 * ```
 */
export function dataBody(label: string, data: Hex, findings: Findings): NonNullable<Explanation['body']> {
  if (isTruncated(data)) warnOfTruncation('The data', findings);
  return { label, text: bodyText(data) };
}

/**
 * How many entries of a list are left out, if any: "3 more orders".
 *
 * @example
 * ```ts
 * leftOut(3, 'order').length; // => 1
 * leftOut(0, 'order'); // => []
 * ```
 */
export const leftOut = (count: number, noun: string, label = 'Not shown', plural = `${noun}s`): Line[] =>
  count > 0 ? [text(label, counted(count, `more ${noun}`, `more ${plural}`))] : [];

/**
 * The length of hex digits: "5 bytes".
 *
 * @example
 * ```ts
 * byteCount('a9059cbb'); // => '4 bytes'
 * ```
 */
export const byteCount = (digits: string): string => counted(digits.length / 2, 'byte');

/**
 * Bytes that are not decoded, if there are any.
 *
 * @example
 * ```ts
 * undecodedLine('Data', 'a9059cbb').length; // => 1
 * undecodedLine('Data', ''); // => []
 * ```
 */
export const undecodedLine = (label: string, digits: string): Line[] =>
  digits === '' ? [] : [text(label, `${byteCount(digits)}, not decoded`)];

/**
 * At least the largest 128-bit number, or the largest 96-bit one: what tokens and Permit2 treat as unlimited.
 *
 * @example
 * ```ts
 * isUnlimited(2n ** 256n - 1n); // => true
 * isUnlimited(5_500_000n); // => false
 * ```
 */
export const isUnlimited = (amount: bigint): boolean => amount >= (1n << 128n) - 1n || amount === (1n << 96n) - 1n;

/**
 * An amount with decimals and symbol where the token is known or says them of itself, else in its smallest unit.
 *
 * @example
 * ```ts
 * import { Findings } from './dangers';
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
 * tokenAmount(5_500_000n, usdc, { chainId: 1n, view, findings: new Findings() }); // => '5.5 USDC'
 * ```
 */
export function tokenAmount(amount: bigint, token: Hex, scene: TokenScene): string {
  const known = tokenAt(token, scene) ?? declaredTokenAt(token, scene);
  if (known !== undefined) return `${formatUnits(amount, known.decimals)} ${known.symbol}`;
  return `${amount} (in the token's smallest unit)`;
}

/**
 * The same for an approval.
 *
 * @example
 * ```ts
 * import { Findings } from './dangers';
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
 * allowance(5_500_000n, usdc, { chainId: 1n, view, findings: new Findings() }); // => '5.5 USDC'
 * ```
 */
export function allowance(amount: bigint, token: Hex, scene: TokenScene): string {
  if (amount === 0n) return 'nothing';
  return isUnlimited(amount) ? 'unlimited' : tokenAmount(amount, token, scene);
}

/**
 * The network's coin that a call sends, in wei; undefined where the calling contract sets it.
 *
 * @example
 * ```ts
 * sentValue(10n ** 18n, { chainId: 1n, view: {} }); // => '1 ETH'
 * ```
 */
export const sentValue = (wei: bigint | undefined, scene: Parameters<typeof nativeAmount>[1]): string =>
  wei === undefined ? 'set by the calling contract' : nativeAmount(wei, scene);
