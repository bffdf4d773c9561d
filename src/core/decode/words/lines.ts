import { hasPlausibleChecksum } from '../../eth/checksum';
import { type Hex } from '../../eth/bytes';
import { counted } from '../../eth/units';
import { type Findings } from '../effects/findings';
import { type Explanation, type Line } from '../explanation';
import { bodyText, isTruncated, quotable } from './text';
import { gwei } from './units';

/** The longest quotation that a line shows, in characters. */
export const MAX_QUOTE = 500;

/** A row with a text. */
export const text = (label: string, value: string): Line => ({ kind: 'text', label, value });

/** An address in any spelling. The screen adds the checksum: computing it here would cost a hash for each line. */
export const address = (label: string, value: Hex): Line => ({ kind: 'address', label, value });

/** An address, or a text where there is none. */
export const addressOr = (label: string, value: Hex | undefined, otherwise = 'not named'): Line =>
  value === undefined ? text(label, otherwise) : address(label, value);

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
 * Notes an address whose mixed case is not the checksum of EIP-55.
 *
 * @param who - The subject of the warning.
 */
export function checkSpelling(value: Hex, who: string, findings: Findings): void {
  if (!hasPlausibleChecksum(value)) findings.note(`${who} fails its checksum (EIP-55). A character may be mistyped.`);
}

/** The fees of EIP-1559, wei per gas. */
export const dynamicFeeLines = (fees: Readonly<Record<'maxFeePerGas' | 'maxPriorityFeePerGas', bigint>>): Line[] => [
  text('Max fee per gas', gwei(fees.maxFeePerGas)),
  text('Max priority fee per gas', gwei(fees.maxPriorityFeePerGas)),
];

/**
 * Notes that a screen shows only the beginning of something.
 *
 * @param what - The subject of the warning.
 */
export const noteTruncation = (what: string, findings: Findings): void => {
  findings.note(`${what} is too long to show in full. You see only the beginning.`);
};

/** Call data to copy, with a warning where it is truncated. */
export function dataBody(label: string, data: Hex, findings: Findings): NonNullable<Explanation['body']> {
  if (isTruncated(data)) noteTruncation('The data', findings);
  return { label, text: bodyText(data) };
}

/** A row for the entries of a list that are left out, if any: "3 more orders". */
export const leftOut = (count: number, noun: string, label = 'Not shown', plural = `${noun}s`): Line[] =>
  count > 0 ? [text(label, counted(count, `more ${noun}`, `more ${plural}`))] : [];

/** The length of hex digits: "5 bytes". */
export const byteCount = (digits: string): string => counted(digits.length / 2, 'byte');

/** Bytes that are not decoded, if there are any. */
export const undecodedLine = (label: string, digits: string): Line[] =>
  digits === '' ? [] : [text(label, `${byteCount(digits)}, not decoded`)];
