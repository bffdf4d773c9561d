import { formatUnits } from 'viem/utils';

import { hasPlausibleChecksum } from '../eth/checksum';
import { type Hex } from '../eth/bytes';
import { counted } from '../eth/units';
import { type Scene } from './calls/rule';
import { bodyText, isCut, othersWords } from './text';
import { tokenAt } from './tokens';
import { type Findings } from './dangers';
import { type Explanation, type Line } from './types';
import { ether, gwei } from './units';

/** Characters of others' words that a line holds. */
export const MAX_QUOTE = 500;

export const text = (label: string, value: string): Line => ({ kind: 'text', label, value });

/** An address in any spelling. The screen writes it with its checksum: that costs a hash, and here it is not needed. */
export const address = (label: string, value: Hex): Line => ({ kind: 'address', label, value });

/**
 * Words of somebody else, made fit for a line.
 *
 * @param source - Whose words they are, as the rest of "according to …".
 */
export const quote = (label: string, value: string, source: string): Line => ({
  kind: 'quote',
  label,
  value: othersWords(value, MAX_QUOTE),
  source,
});

/** @param who - The start of the sentence that warns of an address whose spelling is not that of EIP-55. */
export function checkSpelling(value: Hex, who: string, findings: Findings): void {
  if (!hasPlausibleChecksum(value))
    findings.warn(`${who} does not have the checksum of EIP-55: a digit may be mistyped.`);
}

/** Said where the zero address receives the chain's coin. */
export const VALUE_TO_NOBODY = 'Value goes to the zero address: nobody can get it back.';

/** The fees of EIP-1559, wei per gas. */
export const dynamicFeeLines = (fees: Readonly<Record<'maxFeePerGas' | 'maxPriorityFeePerGas', bigint>>): Line[] => [
  text('Max fee per gas', gwei(fees.maxFeePerGas)),
  text('Max priority fee per gas', gwei(fees.maxPriorityFeePerGas)),
];

/** @param what - The start of the sentence that says of something that a screen carries only the start of it. */
export const warnOfCut = (what: string, findings: Findings): void => {
  findings.warn(`${what} is too long to be shown whole: you see only its start.`);
};

/** Call data to be copied; that only the start of it is shown is told. */
export function dataBody(label: string, data: Hex, findings: Findings): NonNullable<Explanation['body']> {
  if (isCut(data)) warnOfCut('The data', findings);
  return { label, text: bodyText(data) };
}

/** How much of a list has no lines, if anything: "3 more orders". */
export const leftOut = (left: number, noun: string, label = 'Not shown here'): Line[] =>
  left > 0 ? [text(label, counted(left, `more ${noun}`))] : [];

/** How many bytes hex digits stand for, in words. */
export const byteCount = (digits: string): string => counted(digits.length / 2, 'byte');

/** Bytes that nobody here understands, if there are any. */
export const unreadLine = (label: string, digits: string): Line[] =>
  digits === '' ? [] : [text(label, `${byteCount(digits)}, not understood`)];

/** All of a token there is, or as good as: the largest number of the widths that tokens and Permit2 use. */
export const isUnlimited = (amount: bigint): boolean => amount >= (1n << 128n) - 1n || amount === (1n << 96n) - 1n;

type TokenScene = Pick<Scene, 'chainId' | 'view' | 'findings'>;

/** An amount of a token in its unit, where the token is a well-known one. */
export function tokenAmount(amount: bigint, token: Hex, scene: TokenScene): string {
  const known = tokenAt(token, scene);
  if (known !== undefined) return `${formatUnits(amount, known.decimals)} ${known.symbol}`;
  return `${amount} of the token's smallest unit`;
}

/** The same for a permission to spend. */
export function allowance(amount: bigint, token: Hex, scene: TokenScene): string {
  if (amount === 0n) return 'nothing';
  return isUnlimited(amount) ? 'unlimited' : tokenAmount(amount, token, scene);
}

/** What a call carries of the chain's coin; undefined where the contract that makes the call decides. */
export const sentValue = (wei: bigint | undefined): string =>
  wei === undefined ? 'decided by the contract that makes the call' : ether(wei);
