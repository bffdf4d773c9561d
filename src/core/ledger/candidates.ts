import { isSameAddress, ZERO_ADDRESS } from '../eth/address';
import { type Hex, lowerCase } from '../eth/bytes';
import {
  addressIn,
  APPROVAL,
  APPROVAL_FOR_ALL,
  PERMIT2,
  PERMIT2_APPROVAL,
  PERMIT2_PERMIT,
  TRANSFER_TOPIC,
} from '../simulation/asset-logs';
import { AUTHORIZED_OPERATOR, BORROW_ALLOWANCE, ITEM_APPROVAL, OPERATOR_SET, REVOKED_OPERATOR } from './filters';
import { type PlacedLog } from './placed-log';

/**
 * A permission that a log speaks of. A token can log anything, so only its state decides whether there is one.
 *
 * - `amount`: `spender` may take an amount of a token (ERC-20).
 * - `permit2`: the same through Permit2.
 * - `nft`: `spender` may move one NFT (ERC-721).
 * - `collection`: `spender` may move all NFTs or items of a contract (ERC-721, ERC-1155).
 * - `item`, `items`: `spender` may take an amount of one item, or everything (ERC-6909).
 * - `operator`: `spender` may move all of a token (ERC-777).
 * - `credit`: `spender` may borrow, and the account owes it (Aave).
 */
export type Candidate = {
  readonly kind: 'amount' | 'permit2' | 'nft' | 'collection' | 'item' | 'items' | 'operator' | 'credit';
  readonly token: Hex;
  readonly spender: Hex;
  /** Of the NFT or the item. */
  readonly id?: bigint;
  /** The newest log that gives it. */
  readonly since: bigint;
  /** The amount in that log, in the token's smallest unit. */
  readonly amount?: bigint;
};

/** The first word of a log's data; undefined if there is none. */
const firstWord = ({ data }: PlacedLog): bigint | undefined =>
  data.length < 66 ? undefined : BigInt(data.slice(0, 66));

/** The holder and the operator change places in the events of ERC-777. */
const isOfOperator = ({ topics }: PlacedLog): boolean => {
  const event = topics[0] === undefined ? undefined : lowerCase(topics[0]);
  return event === AUTHORIZED_OPERATOR || event === REVOKED_OPERATOR;
};

/** @returns The permission that a log speaks of; undefined for other logs. */
function candidateIn(log: PlacedLog): Candidate | undefined {
  const [event, first, second, third] = log.topics.map(lowerCase);
  const token = lowerCase(log.address);
  const since = log.blockNumber;
  const spender = addressIn(second);
  const amount = firstWord(log);
  if (event === PERMIT2_APPROVAL || event === PERMIT2_PERMIT) {
    const taker = addressIn(third);
    return taker === undefined || spender === undefined || !isSameAddress(token, PERMIT2)
      ? undefined
      : { kind: 'permit2', token: spender, spender: taker, since, ...(amount !== undefined && { amount }) };
  }
  const operator = addressIn(first);
  if (isOfOperator(log)) return operator && { kind: 'operator', token, spender: operator, since };
  if (spender === undefined || spender === ZERO_ADDRESS) return undefined;
  const given = { token, spender, since, ...(amount !== undefined && { amount }) };
  if (event === OPERATOR_SET) return { kind: 'items', token, spender, since };
  if (event === ITEM_APPROVAL) return third && { kind: 'item', ...given, id: BigInt(third) };
  if (event === BORROW_ALLOWANCE) return { kind: 'credit', ...given };
  if (event === APPROVAL_FOR_ALL) return { kind: 'collection', token, spender, since };
  if (event !== APPROVAL) return undefined;
  if (third !== undefined) return { kind: 'nft', token, spender, id: BigInt(third), since };
  return { kind: 'amount', ...given };
}

/** What tells a permission from others of an account. An NFT has one spender at a time. */
export const permissionKey = ({ kind, token, spender, id = 0n }: Candidate): string =>
  `${kind}:${token}:${id}:${kind === 'nft' ? '' : spender}`;

/**
 * Collects the permissions that the logs of an account speak of. Permit2 can move only tokens that are approved to it,
 * so that permission is one, too.
 *
 * @param logs - In order.
 */
export function candidatesIn(logs: Iterable<PlacedLog>, account: Hex): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const log of logs) {
    const owner = addressIn(log.topics[isOfOperator(log) ? 2 : 1]);
    const candidate = owner === undefined || !isSameAddress(owner, account) ? undefined : candidateIn(log);
    if (candidate === undefined) continue;
    found.set(permissionKey(candidate), candidate);
    if (candidate.kind !== 'permit2') continue;
    const { token, since } = candidate;
    const behind: Candidate = { kind: 'amount', token, spender: lowerCase(PERMIT2), since };
    if (!found.has(permissionKey(behind))) found.set(permissionKey(behind), behind);
  }
  return [...found.values()];
}

/** Of one token, so many permissions are looked at, the newest: more is spam, since anybody can log events. */
const MAX_OF_TOKEN = 100;
const MAX_CANDIDATES = 2_000;

/** @returns The newest candidates of each token, and how many others there are. */
export function mostRelevant(candidates: readonly Candidate[]): {
  readonly chosen: readonly Candidate[];
  readonly leftOut: number;
} {
  const counts = new Map<Hex, number>();
  const chosen = [...candidates]
    .sort((a, b) => Number(b.since - a.since))
    .filter(({ token }) => {
      const count = (counts.get(token) ?? 0) + 1;
      counts.set(token, count);
      return count <= MAX_OF_TOKEN;
    })
    .slice(0, MAX_CANDIDATES);
  return { chosen, leftOut: candidates.length - chosen.length };
}

/** @returns The block of the last transfer of each token (ERC-20) out of the account, by lower-case address. */
export function lastSpent(logs: Iterable<PlacedLog>, account: Hex): ReadonlyMap<Hex, bigint> {
  const spent = new Map<Hex, bigint>();
  for (const { topics, address, blockNumber } of logs) {
    const from = addressIn(topics[1]);
    if (
      topics.length === 3 &&
      from !== undefined &&
      lowerCase(topics[0] ?? '0x') === TRANSFER_TOPIC &&
      isSameAddress(from, account)
    )
      spent.set(lowerCase(address), blockNumber);
  }
  return spent;
}
