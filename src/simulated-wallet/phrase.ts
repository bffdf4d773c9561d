import { generateMnemonic, mnemonicToSeed, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english';

/** @returns A new recovery phrase: 12 English words (BIP-39, 128 bits). */
export const newPhrase = (): string => generateMnemonic(wordlist, 128);

/** @returns The normalized phrase, or undefined if it is not a valid BIP-39 phrase. */
export function readPhrase(text: string): string | undefined {
  const phrase = text.trim().toLowerCase().split(/\s+/u).join(' ');
  return validateMnemonic(phrase, wordlist) ? phrase : undefined;
}

/** @returns The BIP-39 seed without a passphrase, 64 bytes. */
export const seedOf = (phrase: string): Promise<Uint8Array> => mnemonicToSeed(phrase);
