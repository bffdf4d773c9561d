/** The path of the token list, which the build writes and the snap reads. */
export const FILE_OF_TOKENS = 'contract-metadata/tokens.json';

/** @param digit - The first digit of a selector or type hash. */
export const fileOfShard = (digit: string): string => `contract-metadata/${digit}.json`;
