import { quotable } from '../words/text';

const MAX_WORDS = 80;

/** The author of the words of a descriptor. */
export const SOURCE = 'the ERC-7730 registry';

/** A descriptor's text inside a line of ours: short, safe to display, and in quotation marks that it cannot close. */
export const quoted = (words: string): string => `“${quotable(words, MAX_WORDS)}”`;
