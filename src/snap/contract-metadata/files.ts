/** Where the build puts what explanations look up, and where the snap finds it. */
export const FILE_OF_TOKENS = 'knowledge/tokens.json';

/** @param digit - The first digit of a selector or type hash. */
export const fileOfShard = (digit: string): string => `knowledge/${digit}.json`;
