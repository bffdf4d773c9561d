import { wordlist } from '@scure/bip39/wordlists/english';
import { encodeAbiParameters, keccak256, parseAbiParameters } from 'viem';

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

it('are of a hash of a hash, 1,024 times, so that each guess at other owners takes as long', () => {
  const { chainId, safe, module, newOwners, newThreshold } = PROPOSAL;
  const types = parseAbiParameters('uint256, address, address, uint256, address[], uint256');
  let hash = encodeAbiParameters(types, [chainId, safe, module, 7n, newOwners, newThreshold]);
  for (let round = 0; round < 1024; round++) hash = keccak256(hash);
  const bits = BigInt(hash).toString(2).padStart(256, '0');
  const words = [0, 1, 2, 3, 4, 5].map((at) => wordlist[parseInt(bits.slice(11 * at, 11 * at + 11), 2)]);
  expect(compareWords(PROPOSAL, 7n)).toBe(words.join(' '));
});
