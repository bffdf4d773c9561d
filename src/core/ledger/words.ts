import { type CanaryResult } from './canary';
import { type PermissionWarning } from './permissions';
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
