import { array, decode, uint256, type WorkBudget } from '../eth/abi';
import { isSameAddress, ZERO_ADDRESS } from '../eth/address';
import { type Hex, lowerCase } from '../eth/bytes';
import { type Log } from '../schemas/receipt';
import { type Allowance, type Asset, type AssetAmount, type Changes } from '../decode/effects/outcome';

/** The address at which nodes log transfers of the network's coin (`eth_simulateV1` with `traceTransfers`). */
export const NATIVE_TRANSFERS: Hex = `0x${'e'.repeat(40)}`;

/**
 * The address at which the network itself logs them (EIP-7708), in receipts as well. No contract can be there. Some
 * nodes log a transfer at both addresses, others no longer at {@link NATIVE_TRANSFERS}.
 */
export const SYSTEM_TRANSFERS: Hex = `0x${'f'.repeat(39)}e`;

/** Uniswap's Permit2, at the same address on every chain. It holds allowances for tokens that are approved to it. */
export const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721. */
export const TRANSFER_TOPIC: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const APPROVAL: Hex = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
export const APPROVAL_FOR_ALL: Hex = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31';
export const TRANSFER_SINGLE: Hex = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
export const TRANSFER_BATCH: Hex = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
/** WETH9 logs no Transfer when it wraps or unwraps. */
export const DEPOSIT: Hex = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';
export const WITHDRAWAL: Hex = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65';
/** `Approval` and `Permit` of Permit2, which begin alike: owner, token, spender, amount. */
export const PERMIT2_APPROVAL: Hex = '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b';
export const PERMIT2_PERMIT: Hex = '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec';

/** Logs come from a node, which may be hostile. Real transactions stay far below these limits. */
const MAX_LOGS = 10_000;
/** Words of ERC-1155 batches, over all logs. */
const MAX_WORDS = 10_000;

/** The amount of an asset that an account gains, by the logs alone; negative if it loses. */
export type Movement = {
  readonly asset: Exclude<Asset, { kind: 'native' }>;
  readonly net: bigint;
  /** It did not exist before. */
  readonly isNew?: boolean;
  /** Nothing of it is left to the account. */
  readonly isAll?: boolean;
};

/** An allowance that a log reports, and the contract that holds it: the token itself, or Permit2. */
export type Grant = { readonly holder: Hex; readonly allowance: Allowance };

/**
 * The events about one account in the logs. Contracts can log what they like, so balances and allowances are read where
 * possible.
 */
export type AssetEvents = {
  /** wei. */
  readonly native: bigint;
  /** Every asset of the account that is mentioned, even if its amount does not change. */
  readonly movements: readonly Movement[];
  readonly grants: readonly Grant[];
  /** Tokens that log transfers between others. The account's balance of some changes even so. */
  readonly bystanders: readonly Hex[];
  /** There are more logs than are read. */
  readonly isPartial: boolean;
};

/** @returns The address in a topic, lower-case; undefined if the topic is more than an address. */
export const addressIn = (word: Hex | undefined): Hex | undefined =>
  word?.startsWith(`0x${'0'.repeat(24)}`) === true ? `0x${lowerCase(word).slice(26)}` : undefined;

const keyOf = (asset: Movement['asset']): string =>
  asset.kind === 'erc20' ? asset.token : `${asset.token}/${asset.id}`;

type Wrapping = { readonly token: Hex; readonly amount: bigint };

/** Collects what happens to one account, in the order of the logs. */
class Collector {
  native = 0n;
  readonly movements = new Map<string, Movement>();
  readonly grants = new Map<string, Grant>();
  readonly bystanders = new Set<Hex>();
  /** The account's transfers of coins: positive from a contract, negative to one. */
  readonly coins: Wrapping[] = [];
  readonly wrappings: Wrapping[] = [];
  /** Tokens that log a transfer when they mint and burn. */
  readonly minting = new Set<Hex>();
  readonly budget: WorkBudget = { words: MAX_WORDS };
  /** There are logs that are too long to read. */
  isPartial = false;
  /** How often each transfer of coins is logged at each address. */
  readonly #logged = new Map<string, number>();

  constructor(readonly account: Hex) {}

  /** 1 for a transfer to the account, -1 for one from it, 0 for both or neither. */
  sign(from: Hex, to: Hex): bigint {
    return (to === this.account ? 1n : 0n) - (from === this.account ? 1n : 0n);
  }

  concerns(from: Hex, to: Hex): boolean {
    return from === this.account || to === this.account;
  }

  move(asset: Movement['asset'], net: bigint, from?: Hex): void {
    const key = keyOf(asset);
    const before = this.movements.get(key);
    const isNew = from === ZERO_ADDRESS || before?.isNew === true;
    this.movements.set(key, { asset, net: (before?.net ?? 0n) + net, ...(isNew && { isNew }) });
  }

  /** @returns Whether this log is of a transfer that the other address has not logged yet. */
  isFirstOf(transfer: string, place: Hex): boolean {
    const other = place === NATIVE_TRANSFERS ? SYSTEM_TRANSFERS : NATIVE_TRANSFERS;
    const times = (this.#logged.get(`${place}${transfer}`) ?? 0) + 1;
    this.#logged.set(`${place}${transfer}`, times);
    return times > (this.#logged.get(`${other}${transfer}`) ?? 0);
  }

  /** @param isGiven - Whether it is an allowance, or takes one back. */
  grant(key: string, grant: Grant, isGiven: boolean): void {
    this.grants.delete(key);
    if (isGiven) this.grants.set(key, grant);
  }
}

/** The words of a log's data, or undefined if there are fewer. They take nothing from the budget of batches. */
function wordsOf<const Types extends readonly (typeof uint256)[]>(log: Log, types: Types) {
  const read = decode(types, log.data.slice(2).toLowerCase(), { words: types.length });
  return 'values' in read ? read.values : undefined;
}

type Reader = (log: Log, token: Hex, found: Collector) => void;

const nativeTransfer: Reader = (log, place, found) => {
  const [from, to] = [addressIn(log.topics[1]), addressIn(log.topics[2])];
  const [amount] = wordsOf(log, [uint256]) ?? [];
  if (from === undefined || to === undefined || amount === undefined) return;
  if (!found.isFirstOf(`${from}${to}${amount}`, place)) return;
  const net = found.sign(from, to) * amount;
  found.native += net;
  if (net !== 0n) found.coins.push({ token: net > 0n ? from : to, amount: net });
};

const fungibleTransfer: Reader = (log, token, found) => {
  const [from, to] = [addressIn(log.topics[1]), addressIn(log.topics[2])];
  const [amount] = wordsOf(log, [uint256]) ?? [];
  if (from === undefined || to === undefined || amount === undefined) return;
  if (from === ZERO_ADDRESS || to === ZERO_ADDRESS) found.minting.add(token);
  if (found.concerns(from, to)) found.move({ kind: 'erc20', token }, found.sign(from, to) * amount);
  else found.bystanders.add(token);
};

const nftTransfer: Reader = (log, token, found) => {
  const [from, to, id] = [addressIn(log.topics[1]), addressIn(log.topics[2]), log.topics[3]];
  if (from === undefined || to === undefined || id === undefined || !found.concerns(from, to)) return;
  found.move({ kind: 'erc721', token, id: BigInt(id) }, found.sign(from, to), from);
  // A transfer takes back the permission to move the NFT.
  found.grants.delete(`${token}/${BigInt(id)}`);
};

const multiTokenTransfer: Reader = (log, token, found) => {
  const [from, to] = [addressIn(log.topics[2]), addressIn(log.topics[3])];
  const [id, amount] = wordsOf(log, [uint256, uint256]) ?? [];
  if (from === undefined || to === undefined || id === undefined || amount === undefined) return;
  if (found.concerns(from, to)) found.move({ kind: 'erc1155', token, id }, found.sign(from, to) * amount, from);
};

const multiTokenBatch: Reader = (log, token, found) => {
  const [from, to] = [addressIn(log.topics[2]), addressIn(log.topics[3])];
  if (from === undefined || to === undefined || !found.concerns(from, to)) return;
  const read = decode([array(uint256), array(uint256)], log.data.slice(2).toLowerCase(), found.budget);
  if ('misfit' in read) {
    if (read.misfit === 'too-large') found.isPartial = true;
    return;
  }
  const [ids, amounts] = read.values;
  if (ids.length !== amounts.length) return;
  for (const [at, id] of ids.entries())
    found.move({ kind: 'erc1155', token, id }, found.sign(from, to) * (amounts[at] ?? 0n), from);
};

const fungibleApproval: Reader = (log, token, found) => {
  const [owner, spender] = [addressIn(log.topics[1]), addressIn(log.topics[2])];
  const [amount] = wordsOf(log, [uint256]) ?? [];
  if (owner !== found.account || spender === undefined || amount === undefined) return;
  const allowance = { kind: 'amount', token, spender, amount } as const;
  found.grant(`${token}:${spender}`, { holder: token, allowance }, amount > 0n && spender !== ZERO_ADDRESS);
};

const nftApproval: Reader = (log, token, found) => {
  const [owner, spender, id] = [addressIn(log.topics[1]), addressIn(log.topics[2]), log.topics[3]];
  if (owner !== found.account || spender === undefined || id === undefined) return;
  const allowance = { kind: 'nft', token, spender, id: BigInt(id) } as const;
  found.grant(`${token}/${BigInt(id)}`, { holder: token, allowance }, spender !== ZERO_ADDRESS);
};

const approvalForAll: Reader = (log, token, found) => {
  const [owner, spender] = [addressIn(log.topics[1]), addressIn(log.topics[2])];
  const [isApproved] = wordsOf(log, [uint256]) ?? [];
  if (owner !== found.account || spender === undefined || isApproved === undefined) return;
  found.grant(
    `${token}:${spender}:all`,
    { holder: token, allowance: { kind: 'everything', token, spender } },
    isApproved > 0n,
  );
};

const permit2Approval: Reader = (log, holder, found) => {
  const [owner, token, spender] = [addressIn(log.topics[1]), addressIn(log.topics[2]), addressIn(log.topics[3])];
  const [amount] = wordsOf(log, [uint256]) ?? [];
  if (!isSameAddress(holder, PERMIT2) || owner !== found.account) return;
  if (token === undefined || spender === undefined || amount === undefined) return;
  const allowance = { kind: 'amount', token, spender, amount } as const;
  found.grant(`${holder}:${token}:${spender}`, { holder, allowance }, amount > 0n);
};

const wrapping =
  (sign: bigint): Reader =>
  (log, token, found) => {
    const [amount] = wordsOf(log, [uint256]) ?? [];
    if (addressIn(log.topics[1]) !== found.account || amount === undefined) return;
    found.move({ kind: 'erc20', token }, 0n);
    found.wrappings.push({ token, amount: sign * amount });
  };

/** By event and number of topics: ERC-721 indexes one more argument than ERC-20. */
const READERS: Readonly<Record<string, Reader>> = {
  [`${TRANSFER_TOPIC}/3`]: fungibleTransfer,
  [`${TRANSFER_TOPIC}/4`]: nftTransfer,
  [`${TRANSFER_SINGLE}/4`]: multiTokenTransfer,
  [`${TRANSFER_BATCH}/4`]: multiTokenBatch,
  [`${APPROVAL}/3`]: fungibleApproval,
  [`${APPROVAL}/4`]: nftApproval,
  [`${APPROVAL_FOR_ALL}/3`]: approvalForAll,
  [`${PERMIT2_APPROVAL}/4`]: permit2Approval,
  [`${PERMIT2_PERMIT}/4`]: permit2Approval,
  [`${DEPOSIT}/2`]: wrapping(1n),
  [`${WITHDRAWAL}/2`]: wrapping(-1n),
};

function read(log: Log, found: Collector): void {
  const [topic] = log.topics;
  if (topic === undefined) return;
  const contract = lowerCase(log.address);
  const key = `${lowerCase(topic)}/${log.topics.length}`;
  if (contract === NATIVE_TRANSFERS || contract === SYSTEM_TRANSFERS) {
    if (key === `${TRANSFER_TOPIC}/3`) nativeTransfer(log, contract, found);
    return;
  }
  if (Object.hasOwn(READERS, key)) READERS[key]?.(log, contract, found);
}

/**
 * Contracts that are no tokens log deposits and withdrawals, too. So by its logs alone, a contract has wrapped coins
 * only if the account sent it that many, or received them from it, and it logs no minting or burning as well.
 */
function countWrappings(found: Collector, areProven: boolean): void {
  for (const { token, amount } of found.wrappings) {
    if (found.minting.has(token)) continue;
    const at = found.coins.findIndex((coin) => coin.token === token && coin.amount === -amount);
    if (at === -1 && !areProven) continue;
    if (at !== -1) found.coins.splice(at, 1);
    found.move({ kind: 'erc20', token }, amount);
  }
}

/**
 * Reads what event logs say about one account: coins (from logs at {@link NATIVE_TRANSFERS} and
 * {@link SYSTEM_TRANSFERS}), ERC-20, ERC-721, ERC-1155, WETH9, and Permit2. Logs of other events, and malformed ones,
 * are ignored.
 *
 * @param logs - The logs of successful calls, in order. They come from a node and are not trusted.
 * @param options - `areWrappingsProven`: deposits and withdrawals count without the transfers of coins, which not every
 * network logs.
 */
export function assetEvents(
  logs: readonly Log[],
  account: Hex,
  { areWrappingsProven = false }: { readonly areWrappingsProven?: boolean } = {},
): AssetEvents {
  const found = new Collector(lowerCase(account));
  for (const log of logs.slice(0, MAX_LOGS)) read(log, found);
  countWrappings(found, areWrappingsProven);
  return {
    native: found.native,
    movements: [...found.movements.values()],
    grants: [...found.grants.values()],
    bystanders: [...found.bystanders].filter((token) => !found.movements.has(token)),
    isPartial: found.isPartial || logs.length > MAX_LOGS,
  };
}

const amountsOf = (native: bigint, movements: readonly Movement[], sign: bigint): AssetAmount[] =>
  [{ asset: { kind: 'native' }, net: native } as const, ...movements].flatMap(({ asset, net, ...more }) =>
    net * sign > 0n ? [{ asset, amount: net * sign, ...more }] : [],
  );

/** Sorts net movements into what is sent and what is received. What does not change is left out. */
export const changesOf = ({
  native,
  movements,
  allows,
  creates,
}: Pick<AssetEvents, 'native' | 'movements'> & Pick<Changes, 'allows' | 'creates'>): Changes => ({
  sends: amountsOf(native, movements, -1n),
  receives: amountsOf(native, movements, 1n),
  allows,
  creates,
});
