import { bytes, decode, uint256 } from '../../eth/abi';
import { fromHex, type Hex } from '../../eth/bytes';
import { type DeclaredAsset, type DeclaredToken } from '../effects/outcome';
import { quotable } from '../words/text';

/** The maximum number of characters of a symbol, and of a collection's name. */
const MAX_SYMBOL = 20;
const MAX_NAME = 40;
/** The largest number of decimals that occurs in use, with a margin. */
const MAX_DECIMALS = 36n;
/** 1 kB: far more than any name. */
const MAX_ANSWER = 2 + 2 * 1024;

/** The bytes of an ABI-encoded `string`, or of a `bytes32` as early tokens return it. */
function contentOf(answer: Hex): Uint8Array | undefined {
  const digits = answer.slice(2).toLowerCase();
  if (digits.length === 64) return fromHex(`0x${digits.replace(/(?:00)+$/u, '')}`);
  const read = decode([bytes], digits, { words: 2 });
  return 'values' in read ? fromHex(`0x${read.values[0]}`) : undefined;
}

/**
 * Reads a symbol or a name that a contract returns. It is untrusted: it is truncated and made safe to display.
 *
 * @param answer - What `symbol()` or `name()` returned, or undefined if the call failed.
 * @param most - The maximum number of characters.
 * @returns Undefined if it is no text, or an empty one.
 */
export function declaredText(answer: Hex | undefined, most: number): string | undefined {
  if (answer === undefined || answer.length > MAX_ANSWER) return undefined;
  const content = contentOf(answer);
  if (content === undefined) return undefined;
  const characters = [...new TextDecoder().decode(content).trim()];
  if (characters.length === 0) return undefined;
  const beginning = characters.slice(0, most).join('');
  return quotable(characters.length > most ? `${beginning}…` : beginning, Infinity);
}

const numberIn = (answer: Hex | undefined): bigint | undefined => {
  const read = decode([uint256], (answer ?? '0x').slice(2).toLowerCase(), { words: 1 });
  return 'values' in read ? read.values[0] : undefined;
};

/**
 * The symbol and decimals that a token states, if it states both.
 *
 * @param symbol - What `symbol()` returned, or undefined if the call failed.
 * @param decimals - What `decimals()` returned.
 * @param supply - What `totalSupply()` returned, if it was asked.
 */
export function declaredToken(
  symbol: Hex | undefined,
  decimals: Hex | undefined,
  supply?: Hex,
): DeclaredToken | undefined {
  const text = declaredText(symbol, MAX_SYMBOL);
  const places = numberIn(decimals);
  if (text === undefined || places === undefined || places > MAX_DECIMALS) return undefined;
  const total = numberIn(supply);
  return { symbol: text, decimals: Number(places), ...(total !== undefined && { supply: total }) };
}

/** The answer of a contract; undefined for a call that failed. */
type Answers = Readonly<Record<'symbol' | 'decimals' | 'supply' | 'isErc721', Hex | undefined>>;

/**
 * The statement of an asset's contract about itself. Only one that has no decimals counts as a collection: a token
 * cannot pass off its amounts as IDs.
 *
 * @param answers.isErc721 - What `supportsInterface` returned for ERC-721 (ERC-165).
 */
export const declaredAsset = ({ symbol, decimals, supply, isErc721 }: Answers): DeclaredAsset | undefined =>
  numberIn(isErc721) === 1n && (numberIn(decimals) ?? 0n) === 0n ? 'erc721' : declaredToken(symbol, decimals, supply);

/**
 * The statement of a collection about itself, if it has a name.
 *
 * @param name - What `name()` returned, or undefined if the call failed.
 */
export function declaredCollection(name: Hex | undefined): { readonly name: string } | undefined {
  const text = declaredText(name, MAX_NAME);
  return text === undefined ? undefined : { name: text };
}
