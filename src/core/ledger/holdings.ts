import { encodeFunctionData } from 'viem/utils';

import { array, decode, uint256, type WorkBudget } from '../eth/abi';
import { isSameAddress } from '../eth/address';
import { type Hex, lowerCase } from '../eth/bytes';
import {
  addressIn,
  DEPOSIT,
  NATIVE_TRANSFERS,
  SYSTEM_TRANSFERS,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
  TRANSFER_TOPIC,
} from '../simulation/asset-logs';
import { ERC20_ABI, NFT_ABI } from './abi';
import { type ChainState, type Read } from './chain-state';
import { type PlacedLog } from './placed-log';

/** Something that logs say an account got: a token (ERC-20), an NFT (ERC-721), or an item (ERC-1155). */
export type HoldingCandidate = {
  readonly kind: 'erc20' | 'erc721' | 'erc1155';
  readonly token: Hex;
  /** Of the NFT or the item. */
  readonly id?: bigint;
  /** The account has sent it, approved it, or wrapped coins as it: so it is nothing that somebody only sent to it. */
  readonly isUsed: boolean;
};

/** What an account holds at the block that was looked at. */
export type Holding = HoldingCandidate & {
  /** In the token's smallest unit; 1 for an NFT. */
  readonly amount: bigint;
};

/** Words of ERC-1155 batches that are read, over all logs. */
const MAX_WORDS = 100_000;

/** The items of an ERC-1155 event. */
function itemsIn(event: Hex | undefined, data: Hex, budget: WorkBudget): readonly bigint[] {
  const digits = data.slice(2).toLowerCase();
  if (event === TRANSFER_SINGLE) {
    const read = decode([uint256, uint256], digits, { words: 2 });
    return 'values' in read ? read.values.slice(0, 1) : [];
  }
  const read = decode([array(uint256), array(uint256)], digits, budget);
  return 'values' in read ? read.values[0] : [];
}

const keyOf = ({ kind, token, id }: Omit<HoldingCandidate, 'isUsed'>): string => `${kind} ${token} ${id ?? ''}`;

/** @returns The tokens that an account has sent, approved or wrapped coins as, by lower-case address. */
export function usedTokens(logs: Iterable<PlacedLog>, account: Hex): ReadonlySet<Hex> {
  const used = new Set<Hex>();
  for (const { address, topics } of logs) {
    const [event, first, second] = topics.map(lowerCase);
    const isBatch = event === TRANSFER_SINGLE || event === TRANSFER_BATCH;
    const who = addressIn(isBatch ? second : first);
    if (who !== undefined && isSameAddress(who, account)) used.add(lowerCase(address));
  }
  return used;
}

/**
 * Collects what the logs of an account say it got.
 *
 * @param logs - In order. Contracts can log what they like, so only their state decides what is held.
 */
export function holdingCandidates(logs: Iterable<PlacedLog>, account: Hex): HoldingCandidate[] {
  const found = new Map<string, HoldingCandidate>();
  const used = usedTokens(logs, account);
  const budget: WorkBudget = { words: MAX_WORDS };
  const isOwn = (word: Hex | undefined): boolean => {
    const address = addressIn(word);
    return address !== undefined && isSameAddress(address, account);
  };
  const add = (one: Omit<HoldingCandidate, 'isUsed'>): void => {
    found.set(keyOf(one), { ...one, isUsed: false });
  };
  for (const { address, topics, data } of logs) {
    const [event, first, second, third] = topics.map(lowerCase);
    const token = lowerCase(address);
    if (token === NATIVE_TRANSFERS || token === SYSTEM_TRANSFERS) continue;
    if (event === TRANSFER_TOPIC && isOwn(second))
      add(third === undefined ? { kind: 'erc20', token } : { kind: 'erc721', token, id: BigInt(third) });
    else if (event === DEPOSIT && isOwn(first)) add({ kind: 'erc20', token });
    else if ((event === TRANSFER_SINGLE || event === TRANSFER_BATCH) && isOwn(third))
      for (const id of itemsIn(event, data, budget)) add({ kind: 'erc1155', token, id });
  }
  return [...found.values()].map((one) => ({ ...one, isUsed: used.has(one.token) }));
}

/** The call that decides whether a candidate is held. */
function readOf({ kind, token, id = 0n }: HoldingCandidate, owner: Hex): Read {
  switch (kind) {
    case 'erc20':
      return {
        to: token,
        data: encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [owner] }),
      };
    case 'erc721':
      return { to: token, data: encodeFunctionData({ abi: NFT_ABI, functionName: 'ownerOf', args: [id] }) };
    case 'erc1155':
      return {
        to: token,
        data: encodeFunctionData({ abi: NFT_ABI, functionName: 'balanceOf', args: [owner, id] }),
      };
  }
}

/** @returns What an account holds of the candidates at one block. */
export async function holdingsAt(
  candidates: readonly HoldingCandidate[],
  account: Hex,
  { calls }: ChainState,
): Promise<readonly Holding[]> {
  const answers = await calls(candidates.map((candidate) => readOf(candidate, lowerCase(account))));
  return candidates.flatMap((candidate, at) => {
    const answer = answers[at];
    if (answer === undefined || answer.length < 66) return [];
    const word = BigInt(answer.slice(0, 66));
    const amount = candidate.kind === 'erc721' ? (word === BigInt(account) ? 1n : 0n) : word;
    return amount === 0n ? [] : [{ ...candidate, amount }];
  });
}
