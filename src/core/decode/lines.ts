import { formatUnits } from 'viem/utils';

import { hasPlausibleChecksum } from '../eth/checksum';
import { type Hex } from '../eth/bytes';
import { counted } from '../eth/units';
import { bodyText, isTruncated, quotable } from './text';
import { declaredTokenAt, tokenAt, type TokenScene } from './tokens';
import { type Findings } from './dangers';
import { type Explanation, type Line } from './types';
import { gwei, nativeAmount } from './units';

/** The longest quotation that a line shows, in characters. */
export const MAX_QUOTE = 500;

export const text = (label: string, value: string): Line => ({ kind: 'text', label, value });

/** An address in any spelling. The screen adds the checksum: computing it here would cost a hash for each line. */
export const address = (label: string, value: Hex): Line => ({ kind: 'address', label, value });

/**
 * Text from a third party, made safe to display.
 *
 * @param source - Who wrote it, such as "the site".
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
 */
export function checkSpelling(value: Hex, who: string, findings: Findings): void {
  if (!hasPlausibleChecksum(value)) findings.warn(`${who} fails its checksum (EIP-55). A character may be mistyped.`);
}

/** The fees of EIP-1559, wei per gas. */
export const dynamicFeeLines = (fees: Readonly<Record<'maxFeePerGas' | 'maxPriorityFeePerGas', bigint>>): Line[] => [
  text('Max fee per gas', gwei(fees.maxFeePerGas)),
  text('Max priority fee per gas', gwei(fees.maxPriorityFeePerGas)),
];

/**
 * Warns that a screen shows only the beginning of something.
 *
 * @param what - The subject of the warning.
 */
export const warnOfTruncation = (what: string, findings: Findings): void => {
  findings.warn(`${what} is too long to show in full. You see only the beginning.`);
};

/** Call data to copy, with a warning where it is truncated. */
export function dataBody(label: string, data: Hex, findings: Findings): NonNullable<Explanation['body']> {
  if (isTruncated(data)) warnOfTruncation('The data', findings);
  return { label, text: bodyText(data) };
}

/** How many entries of a list are left out, if any: "3 more orders". */
export const leftOut = (count: number, noun: string, label = 'Not shown', plural = `${noun}s`): Line[] =>
  count > 0 ? [text(label, counted(count, `more ${noun}`, `more ${plural}`))] : [];

/** The length of hex digits: "5 bytes". */
export const byteCount = (digits: string): string => counted(digits.length / 2, 'byte');

/** Bytes that are not decoded, if there are any. */
export const undecodedLine = (label: string, digits: string): Line[] =>
  digits === '' ? [] : [text(label, `${byteCount(digits)}, not decoded`)];

/** At least the largest 128-bit number, or the largest 96-bit one: what tokens and Permit2 treat as unlimited. */
export const isUnlimited = (amount: bigint): boolean => amount >= (1n << 128n) - 1n || amount === (1n << 96n) - 1n;

/** An amount with decimals and symbol where the token is known or says them of itself, else in its smallest unit. */
export function tokenAmount(amount: bigint, token: Hex, scene: TokenScene): string {
  const known = tokenAt(token, scene) ?? declaredTokenAt(token, scene);
  if (known !== undefined) return `${formatUnits(amount, known.decimals)} ${known.symbol}`;
  return `${amount} (in the token's smallest unit)`;
}

/** The same for an approval. */
export function allowance(amount: bigint, token: Hex, scene: TokenScene): string {
  if (amount === 0n) return 'nothing';
  return isUnlimited(amount) ? 'unlimited' : tokenAmount(amount, token, scene);
}

/** The network's coin that a call sends, in wei; undefined where the calling contract sets it. */
export const sentValue = (wei: bigint | undefined, scene: Parameters<typeof nativeAmount>[1]): string =>
  wei === undefined ? 'set by the calling contract' : nativeAmount(wei, scene);
