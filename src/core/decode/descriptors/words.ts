import { othersWords } from '../text';

const MAX_WORDS = 80;

/** Words of a descriptor inside a line of ours: short, harmless, and in quotation marks that they cannot close. */
export const theirs = (words: string): string => `“${othersWords(words, MAX_WORDS)}”`;
