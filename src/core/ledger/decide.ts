import { encodeFunctionData } from 'viem/utils';

import { smaller } from '../eth/units';
import { type Hex } from '../eth/bytes';
import { PERMIT2 } from '../simulation/asset-logs';
import { DEBT_ABI, ERC20_ABI, ERC6909_ABI, ERC777_ABI, NFT_ABI, PERMIT2_ABI } from './abi';
import { type Candidate } from './candidates';
import { type Read } from './chain-state';

const WORD_LENGTH = 66;

const wordsOf = (answer: Hex | undefined): readonly bigint[] =>
  (answer?.slice(2).match(/.{64}/gu) ?? []).map((word) => BigInt(`0x${word}`));
const numberIn = (answer: Hex | undefined): bigint | undefined =>
  answer !== undefined && answer.length >= WORD_LENGTH ? wordsOf(answer)[0] : undefined;

const least = (first: bigint, ...others: readonly bigint[]): bigint => others.reduce(smaller, first);

const allowanceOf = (token: Hex, owner: Hex, spender: Hex): Read => ({
  to: token,
  data: encodeFunctionData({ abi: ERC20_ABI, functionName: 'allowance', args: [owner, spender] }),
});

const balanceOf = (token: Hex, owner: Hex): Read => ({
  to: token,
  data: encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [owner] }),
});

/** The calls that decide whether a candidate is a permission. */
export function readsOf({ kind, token, spender, id = 0n }: Candidate, owner: Hex): readonly Read[] {
  const read = (data: Hex): Read => ({ to: token, data });
  switch (kind) {
    case 'amount':
      return [allowanceOf(token, owner, spender), balanceOf(token, owner)];
    case 'permit2':
      return [
        {
          to: PERMIT2,
          data: encodeFunctionData({ abi: PERMIT2_ABI, functionName: 'allowance', args: [owner, token, spender] }),
        },
        balanceOf(token, owner),
        allowanceOf(token, owner, PERMIT2),
      ];
    case 'nft':
      return [
        read(encodeFunctionData({ abi: NFT_ABI, functionName: 'getApproved', args: [id] })),
        read(encodeFunctionData({ abi: NFT_ABI, functionName: 'ownerOf', args: [id] })),
      ];
    case 'item':
      return [
        read(encodeFunctionData({ abi: ERC6909_ABI, functionName: 'allowance', args: [owner, spender, id] })),
        read(encodeFunctionData({ abi: NFT_ABI, functionName: 'balanceOf', args: [owner, id] })),
      ];
    case 'items':
      return [read(encodeFunctionData({ abi: ERC6909_ABI, functionName: 'isOperator', args: [owner, spender] }))];
    case 'operator':
      return [read(encodeFunctionData({ abi: ERC777_ABI, functionName: 'isOperatorFor', args: [spender, owner] }))];
    case 'credit':
      return [read(encodeFunctionData({ abi: DEBT_ABI, functionName: 'borrowAllowance', args: [owner, spender] }))];
    case 'collection':
      return [read(encodeFunctionData({ abi: NFT_ABI, functionName: 'isApprovedForAll', args: [owner, spender] }))];
  }
}

/** A permission that holds at a block. */
export type Held = {
  readonly kind: Candidate['kind'];
  readonly token: Hex;
  readonly spender: Hex;
  /** Of the NFT or the item. */
  readonly id?: bigint;
  /** What may be taken in all, in the token's smallest unit: of amounts. */
  readonly amount?: bigint;
  /** What could be taken today: the least of what is there and of what is allowed, through Permit2 by both. */
  readonly takeable?: bigint;
  /** Unix time in seconds; undefined if it does not end. */
  readonly expires?: bigint;
  /** The nonce of Permit2 for signed permits of the same pair. */
  readonly nonce?: bigint;
};

/** @returns Whether the call that decides about a candidate failed. An NFT without an owner has no approvals. */
export const isUnread = ({ kind }: Candidate, [first, second]: readonly (Hex | undefined)[]): boolean =>
  first === undefined && (kind !== 'nft' || second !== undefined);

/** What the answers make of a candidate; undefined if it is no permission at this block. */
export function heldBy(
  candidate: Candidate,
  owner: Hex,
  answers: readonly (Hex | undefined)[],
  time: bigint,
): Held | undefined {
  const { kind, token, spender, id } = candidate;
  const place = { kind, token, spender };
  const [first, second, third] = answers;
  switch (kind) {
    case 'amount':
    case 'item': {
      const [amount, balance = 0n] = [numberIn(first), numberIn(second)];
      if (amount === undefined || amount === 0n) return undefined;
      return { ...place, ...(id !== undefined && { id }), amount, takeable: least(amount, balance) };
    }
    case 'credit': {
      const amount = numberIn(first);
      return amount === undefined || amount === 0n ? undefined : { ...place, amount };
    }
    case 'permit2': {
      const [amount = 0n, expires = 0n, nonce = 0n] = wordsOf(first);
      const [balance = 0n, behind = 0n] = [numberIn(second), numberIn(third)];
      if (amount === 0n || expires < time) return undefined;
      return { ...place, amount, takeable: least(amount, balance, behind), expires, nonce };
    }
    case 'nft': {
      const [approved, holder] = [numberIn(first), numberIn(second)];
      const isHeld = approved === BigInt(spender) && holder === BigInt(owner);
      return isHeld && id !== undefined ? { ...place, id } : undefined;
    }
    case 'collection':
    case 'items':
    case 'operator':
      return numberIn(first) === 1n ? place : undefined;
  }
}
