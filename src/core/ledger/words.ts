import { isUnlimited } from '../decode/words/amounts';
import { shortAddress } from '../decode/words/names';
import { groupedUnits } from '../eth/units';
import { type CanaryResult } from './canary';
import { type Permission, type PermissionWarning } from './permissions';
import { type BlockRange } from './searched';

const SENTENCES: Readonly<Record<PermissionWarning, string>> = {
  account: 'The spender is an account of a person, not a contract.',
  'unused-account': 'That account has never sent a transaction.',
  unchecked: 'The node did not say what the spender is, so that was not checked.',
  token: 'The spender is the token itself.',
  proxy: "The spender's code can be replaced.",
  unused: 'Nothing was taken so far, so you may not need it.',
  unlimited: 'It has no limit.',
  old: 'It is older than a year.',
};

/** @returns What speaks against a permission, in a sentence. */
export const warningSentence = (warning: PermissionWarning): string => SENTENCES[warning];

/** Later times stand for no end. */
const NEVER = 4_102_444_800n;

/** @returns The end of a permission, Unix time in seconds; undefined if there is none to speak of. */
export const endOf = ({ expires }: Pick<Permission, 'expires'>): bigint | undefined =>
  expires === undefined || expires >= NEVER ? undefined : expires;

/** What makes a permission useless to take back. */
export const STUCK = 'Its contract refuses to take this back now.';

/** A token as a sentence calls it. */
export type NamedToken = { readonly symbol: string; readonly decimals: number };

/**
 * @param known - Undefined if the contract does not answer as a token.
 * @param units - Writes an amount of the smallest unit in whole ones.
 * @returns What may be taken, such as "All your USDC" or "NFT #7 of 0x1234…5678".
 */
export function permissionTitle(
  { kind, token, id, amount = 0n }: Permission,
  known: NamedToken | undefined,
  units = groupedUnits,
): string {
  const contract = shortAddress(token);
  if (kind === 'item') return `${isUnlimited(amount) ? 'All' : amount} of item #${id} of ${contract}`;
  if (kind === 'operator') return `All your tokens of ${contract}`;
  if (kind === 'credit') return `Loans${isUnlimited(amount) ? '' : ` of ${amount} units`} that you owe, as ${contract}`;
  if (kind === 'collection' || kind === 'items') return `Everything in ${contract}`;
  if (kind === 'nft') return `NFT #${id} of ${contract}`;
  const what = known === undefined ? `tokens of ${contract}` : known.symbol;
  if (isUnlimited(amount)) return `All your ${what}`;
  return known === undefined ? `${amount} units of ${contract}` : `${units(amount, known.decimals)} ${what}`;
}

/** @returns What could be taken today, in a sentence; undefined of what is not an amount. See {@link permissionTitle}. */
export function takeableWords(
  { takeable }: Permission,
  token: NamedToken | undefined,
  units = groupedUnits,
): string | undefined {
  if (takeable === undefined) return undefined;
  if (takeable === 0n) return 'Today there is nothing to take.';
  return token === undefined
    ? 'There is something to take today.'
    : `${units(takeable, token.decimals)} ${token.symbol} could be taken today.`;
}

const DIGITS = new Intl.NumberFormat('en-US');
const blockName = (block: bigint): string => DIGITS.format(block);

const rangeWords = ({ from, to }: BlockRange): string =>
  from === to ? `block ${blockName(from)}` : `blocks ${blockName(from)} to ${blockName(to)}`;

/** @returns The blocks that were searched, as the rest of a sentence: "blocks 0 to 1,234". */
export const searchedWords = (ranges: readonly BlockRange[]): string =>
  ranges.length === 0 ? 'no blocks' : ranges.map(rangeWords).join(' and ');

/**
 * @param node - Its name, such as "the node at node.example".
 * @returns What a canary says of a node: whether its empty answers mean anything.
 */
export function canarySentence(result: CanaryResult, node: string): string {
  const title = `T${node.slice(1)}`;
  switch (result.kind) {
    case 'found':
      return `${title} found events that are known to be there.`;
    case 'missing':
      return `${title} did not find an event that is in block ${blockName(result.block)}. This list may lack some. Use another node.`;
    case 'none':
      return `Nothing shows whether ${node} finds events at all. This list may lack some.`;
  }
}
