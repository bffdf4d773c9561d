import { encodeFunctionData } from 'viem/utils';

import { isIn, isSameAddress } from '../eth/address';
import { delegateIn } from '../eth/authorization';
import { type Hex, lowerCase } from '../eth/bytes';
import { isUnlimited } from '../decode/words/amounts';
import { PERMIT2 } from '../simulation/asset-logs';
import { ERC20_ABI, NFT_ABI, PERMIT2_ABI } from './abi';
import { type Candidate, lastSpent } from './candidates';
import { type PlacedLog } from './placed-log';

/** A call without value that only reads. */
export type Read = { readonly to: Hex; readonly data: Hex };

/** The state of the chain at one block. Its methods throw if the node does not answer. */
export type ChainState = {
  readonly block: bigint;
  /** Unix time of the block, in seconds. */
  readonly time: bigint;
  /** @returns The results in the order of the calls; undefined for each that fails. */
  readonly calls: (reads: readonly Read[]) => Promise<readonly (Hex | undefined)[]>;
  readonly code: (address: Hex) => Promise<Hex>;
  /** @returns The number of transactions that an account has sent. */
  readonly nonce: (address: Hex) => Promise<bigint>;
  readonly storage: (address: Hex, slot: Hex) => Promise<bigint>;
  /** @returns Unix time of a block, in seconds. */
  readonly timeOf: (block: bigint) => Promise<bigint>;
};

/**
 * What speaks against a permission.
 *
 * - `account`: the spender is a person's account (no code, or code by EIP-7702), and not a contract.
 * - `unused-account`: it has never sent a transaction.
 * - `token`: the spender is the token itself.
 * - `proxy`: somebody can replace the spender's code.
 * - `unused`: nothing of it was taken so far.
 * - `unlimited`: there is no limit.
 * - `old`: it is older than a year.
 */
export type PermissionWarning = 'account' | 'unused-account' | 'token' | 'proxy' | 'unused' | 'unlimited' | 'old';

/** A permission that holds at the block that was looked at: who may take what. */
export type Permission = {
  readonly kind: Candidate['kind'];
  readonly token: Hex;
  readonly spender: Hex;
  /** Of the NFT. */
  readonly id?: bigint;
  /** What may be taken in all, in the token's smallest unit: of amounts. */
  readonly amount?: bigint;
  /** What could be taken today: the least of what is there and of what is allowed, through Permit2 by both. */
  readonly takeable?: bigint;
  /** The block of the newest log that gives it, and its Unix time in seconds. */
  readonly since: { readonly block: bigint; readonly time: bigint };
  /** Unix time in seconds; undefined if it does not end. */
  readonly expires?: bigint;
  /** The nonce of Permit2 for signed permits of the same pair. */
  readonly nonce?: bigint;
  /** The token refuses to set an allowance to 0. */
  readonly refusesZero?: true;
  readonly warnings: readonly PermissionWarning[];
};

/** EIP-1967: where proxies keep the address of their code, and of the contract that names it. */
const PROXY_SLOTS: readonly Hex[] = [
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50',
];
const YEAR = 365n * 86_400n;
const WORD_LENGTH = 66;

const wordsOf = (answer: Hex | undefined): readonly bigint[] =>
  (answer?.slice(2).match(/.{64}/gu) ?? []).map((word) => BigInt(`0x${word}`));
const numberIn = (answer: Hex | undefined): bigint | undefined =>
  answer !== undefined && answer.length >= WORD_LENGTH ? wordsOf(answer)[0] : undefined;

const least = (first: bigint, ...others: readonly bigint[]): bigint => others.reduce((a, b) => (b < a ? b : a), first);

const allowanceOf = (token: Hex, owner: Hex, spender: Hex): Read => ({
  to: token,
  data: encodeFunctionData({ abi: ERC20_ABI, functionName: 'allowance', args: [owner, spender] }),
});

const balanceOf = (token: Hex, owner: Hex): Read => ({
  to: token,
  data: encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [owner] }),
});

const approveNothing = (token: Hex, spender: Hex): Read => ({
  to: token,
  data: encodeFunctionData({ abi: ERC20_ABI, functionName: 'approve', args: [spender, 0n] }),
});

/** The calls that decide whether a candidate is a permission. */
function readsOf({ kind, token, spender, id = 0n }: Candidate, owner: Hex): readonly Read[] {
  switch (kind) {
    case 'amount':
      return [allowanceOf(token, owner, spender), balanceOf(token, owner), approveNothing(token, spender)];
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
        { to: token, data: encodeFunctionData({ abi: NFT_ABI, functionName: 'getApproved', args: [id] }) },
        { to: token, data: encodeFunctionData({ abi: NFT_ABI, functionName: 'ownerOf', args: [id] }) },
      ];
    case 'collection':
      return [
        {
          to: token,
          data: encodeFunctionData({ abi: NFT_ABI, functionName: 'isApprovedForAll', args: [owner, spender] }),
        },
      ];
  }
}

type Held = Omit<Permission, 'warnings' | 'since'>;

/** @returns Whether the call that decides about a candidate failed. A missing NFT has no approvals. */
const isUnread = ({ kind }: Candidate, [first]: readonly (Hex | undefined)[]): boolean =>
  kind !== 'nft' && first === undefined;

/** What the answers make of a candidate; undefined if it is no permission at this block. */
function heldBy(
  candidate: Candidate,
  owner: Hex,
  answers: readonly (Hex | undefined)[],
  time: bigint,
): Held | undefined {
  const { kind, token, spender, id } = candidate;
  const place = { kind, token, spender };
  const [first, second, third] = answers;
  switch (kind) {
    case 'amount': {
      const [amount, balance = 0n] = [numberIn(first), numberIn(second)];
      if (amount === undefined || amount === 0n) return undefined;
      return { ...place, amount, takeable: least(amount, balance), ...(third === undefined && { refusesZero: true }) };
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
      return numberIn(first) === 1n ? place : undefined;
  }
}

/** What is known of a spender. */
async function spenderWarnings(spender: Hex, state: ChainState): Promise<readonly PermissionWarning[]> {
  const code = await state.code(spender);
  if (code === '0x') return (await state.nonce(spender)) === 0n ? ['account', 'unused-account'] : ['account'];
  if (delegateIn(code) !== undefined) return ['account'];
  const slots = await Promise.all(PROXY_SLOTS.map((slot) => state.storage(spender, slot)));
  return slots.some((slot) => slot !== 0n) ? ['proxy'] : [];
}

/** Contracts that are asked about their state at the same time. */
const AT_ONCE = 20;

/**
 * Decides at one block which candidates are permissions.
 *
 * @param logs - Of the account, in order. They tell since when a permission holds, and whether it was used.
 * @param trusted - Contracts that need no warning for what they are, such as Permit2: its permissions are listed one by
 * one.
 * @returns The permissions, those that put most at risk first; and the candidates whose contract did not answer.
 */
export async function permissionsAt(
  candidates: readonly Candidate[],
  logs: readonly PlacedLog[],
  account: Hex,
  state: ChainState,
  trusted: readonly Hex[] = [PERMIT2],
): Promise<{ readonly permissions: readonly Permission[]; readonly unread: readonly Candidate[] }> {
  const owner = lowerCase(account);
  const reads = candidates.map((candidate) => readsOf(candidate, owner));
  const answers = await state.calls(reads.flat());
  const unread: Candidate[] = [];
  let at = 0;
  const held = candidates.flatMap((candidate, index) => {
    const count = reads[index]?.length ?? 0;
    const own = answers.slice(at, at + count);
    at += count;
    if (isUnread(candidate, own)) unread.push(candidate);
    const found = heldBy(candidate, owner, own, state.time);
    return found === undefined ? [] : [{ candidate, found }];
  });
  const spent = lastSpent(logs, owner);
  const warnings = new Map<Hex, readonly PermissionWarning[]>();
  const spenders = [...new Set(held.map(({ found }) => found.spender))].filter((one) => !isIn(trusted, one));
  const times = new Map<bigint, bigint>();
  const blocks = [...new Set(held.map(({ candidate }) => candidate.since))];
  for (let start = 0; start < Math.max(spenders.length, blocks.length); start += AT_ONCE)
    await Promise.all([
      ...spenders.slice(start, start + AT_ONCE).map(async (spender) => {
        warnings.set(spender, await spenderWarnings(spender, state));
      }),
      ...blocks.slice(start, start + AT_ONCE).map(async (block) => {
        times.set(block, await state.timeOf(block));
      }),
    ]);
  const permissions = held
    .map(({ candidate, found }) => {
      const time = times.get(candidate.since) ?? state.time;
      const { amount, token, spender } = found;
      const isUnused =
        amount !== undefined && amount === candidate.amount && (spent.get(token) ?? -1n) < candidate.since;
      const all: readonly PermissionWarning[] = [
        ...(isSameAddress(token, spender) ? ['token' as const] : []),
        ...(warnings.get(spender) ?? []),
        ...(found.kind === 'collection' || (amount !== undefined && isUnlimited(amount)) ? ['unlimited' as const] : []),
        ...(isUnused ? ['unused' as const] : []),
        ...(state.time - time > YEAR ? ['old' as const] : []),
      ];
      return { ...found, since: { block: candidate.since, time }, warnings: all };
    })
    .sort(byRisk);
  return { permissions, unread };
}

/** Graver warnings weigh more than all that are less grave. */
const WEIGHTS: Readonly<Record<PermissionWarning, number>> = {
  'unused-account': 64,
  token: 32,
  account: 16,
  unlimited: 8,
  proxy: 4,
  unused: 2,
  old: 1,
};
const riskOf = ({ warnings }: Permission): number => warnings.reduce((sum, warning) => sum + WEIGHTS[warning], 0);
const isEmpty = ({ takeable }: Permission): number => (takeable === 0n ? 1 : 0);

/** What could be taken today comes before what is there only for later. */
const byRisk = (a: Permission, b: Permission): number => isEmpty(a) - isEmpty(b) || riskOf(b) - riskOf(a);
