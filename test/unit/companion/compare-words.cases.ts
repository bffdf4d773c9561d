import { wordlist } from '@scure/bip39/wordlists/english';

import { compareWords } from '../../../src/companion/model/compare-words';
import { type Proposal } from '../../../src/companion/model/recovery-proposal';

const address = (digit: string) => `0x${digit.repeat(40)}` as const;
const PROPOSAL: Proposal = {
  chainId: 1n,
  safe: address('a'),
  module: address('b'),
  newOwners: [address('c'), address('d')],
  newThreshold: 1n,
};

it('are six words of BIP-39', () => {
  const words = compareWords(PROPOSAL, 0n).split(' ');
  expect(words).toHaveLength(6);
  for (const word of words) expect(wordlist).toContain(word);
});

it.each<[string, Partial<Proposal>, bigint]>([
  ['another network', { chainId: 10n }, 0n],
  ['another account', { safe: address('e') }, 0n],
  ['another module', { module: address('e') }, 0n],
  ['another owner', { newOwners: [address('c'), address('e')] }, 0n],
  ['one owner less', { newOwners: [address('c')] }, 0n],
  ['another number of signatures', { newThreshold: 2n }, 0n],
  ['a recovery of before', {}, 1n],
])('are all others for %s', (_what, change, nonce) => {
  const [before, after] = [compareWords(PROPOSAL, 0n), compareWords({ ...PROPOSAL, ...change }, nonce)];
  const [first, second] = [before.split(' '), after.split(' ')];
  expect(first.filter((word, index) => word === second[index])).toEqual([]);
});

it('are the same in whatever order and letters the owners are written', () => {
  const other = { ...PROPOSAL, newOwners: [address('D'), address('C')] };
  expect(compareWords(other, 0n)).toBe(compareWords(PROPOSAL, 0n));
});
