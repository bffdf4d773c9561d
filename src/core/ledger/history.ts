import { type Call } from '../erc4337/user-operation';
import { versionOfEntryPoint } from '../erc4337/entry-points';
import { isSameAddress, ZERO_ADDRESS } from '../eth/address';
import { type Hex, lowerCase } from '../eth/bytes';
import {
  addressIn,
  assetEvents,
  type Grant,
  type Movement,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
  TRANSFER_TOPIC,
} from '../simulation/asset-logs';
import { OPERATION } from './filters';
import { type PlacedLog } from './placed-log';

/** What one transaction changed for an account, as the contracts logged it. */
export type HistoryEntry = {
  readonly transaction: Hex;
  readonly block: bigint;
  /** Net amounts, positive for what came in. What came in and went out again is in none. */
  readonly movements: readonly Movement[];
  /** wei that came in, or negative that went out, where the network logs it. */
  readonly coins: bigint;
  /** The permissions that it gave. */
  readonly grants: readonly Grant[];
  /** Who got something from the account, and from whom it got something; the zero address for what was created. */
  readonly recipients: readonly Hex[];
  readonly senders: readonly Hex[];
  /** The account has used none of the tokens in it, so that it may be spam. */
  readonly isUnknown: boolean;
};

/** The sender and the recipient in the log of a transfer of tokens. */
function partiesOf({ topics }: PlacedLog): readonly [from: Hex | undefined, to: Hex | undefined] | undefined {
  const [event, first, second, third] = topics.map(lowerCase);
  if (event === TRANSFER_TOPIC) return [addressIn(first), addressIn(second)];
  if (event === TRANSFER_SINGLE || event === TRANSFER_BATCH) return [addressIn(second), addressIn(third)];
  return undefined;
}

function entryOf(logs: readonly PlacedLog[], account: Hex, used: ReadonlySet<Hex>): HistoryEntry[] {
  const [first] = logs;
  if (first === undefined) return [];
  const { native, movements, grants } = assetEvents(logs, account, { areWrappingsProven: true });
  const moved = movements.filter(({ net }) => net !== 0n);
  // What it sent may have left no log. Any contract can log that there was one.
  const isOperation = logs.some(
    ({ address, topics: [event, , sender] }) =>
      versionOfEntryPoint(address) !== undefined &&
      event === OPERATION &&
      isSameAddress(addressIn(sender) ?? '', account),
  );
  if (moved.length === 0 && native === 0n && grants.length === 0 && !isOperation) return [];
  const [recipients, senders] = [new Set<Hex>(), new Set<Hex>()];
  for (const log of logs) {
    const [from, to] = partiesOf(log) ?? [];
    if (from === undefined || to === undefined || from === to) continue;
    if (isSameAddress(from, account)) recipients.add(to);
    else if (isSameAddress(to, account)) senders.add(from);
  }
  return [
    {
      transaction: first.transactionHash,
      block: first.blockNumber,
      movements: moved,
      coins: native,
      grants,
      recipients: [...recipients],
      senders: [...senders],
      isUnknown: native === 0n && !isOperation && logs.every(({ address }) => !used.has(lowerCase(address))),
    },
  ];
}

/**
 * What happened to an account, the oldest first: one entry for each transaction that changed something. Coins are in it
 * only where the network logs their transfers (EIP-7708).
 *
 * @param logs - Of the account, in order. Contracts can log what they like.
 * @param used - The tokens that the account has used, by lower-case address.
 */
export function* entriesOf(
  logs: Iterable<PlacedLog>,
  account: Hex,
  used: ReadonlySet<Hex>,
): Generator<HistoryEntry, void, undefined> {
  // In order, the logs of a transaction follow one another.
  let own: PlacedLog[] = [];
  for (const log of logs) {
    if (own[0] !== undefined && own[0].transactionHash !== log.transactionHash) {
      yield* entryOf(own, account, used);
      own = [];
    }
    own.push(log);
  }
  yield* entryOf(own, account, used);
}

/** Nobody reads more on a screen, and each takes more memory than its logs. */
export const MAX_LISTED = 5_000;

/** See {@link entriesOf}. @returns The newest {@link MAX_LISTED}, the newest first. */
export function historyOf(logs: Iterable<PlacedLog>, account: Hex, used: ReadonlySet<Hex>): HistoryEntry[] {
  const found: HistoryEntry[] = [];
  for (const entry of entriesOf(logs, account, used))
    if (found.push(entry) === 2 * MAX_LISTED) found.splice(0, MAX_LISTED);
  return found.slice(-MAX_LISTED).reverse();
}

/** wei that an account sent along with a call, and to whom. */
export type Payment = Pick<Call, 'to' | 'value'>;

/** A transaction with calls that the account itself made. */
export type OwnTransaction = Pick<HistoryEntry, 'transaction' | 'block'> & { readonly payments: readonly Payment[] };

/**
 * Adds the coins that the account itself sent in a transaction, unless the network logs them.
 *
 * @param entry - What the logs say of it; undefined if there are none.
 */
export function withOwnCoins(
  entry: HistoryEntry | undefined,
  { payments, ...place }: OwnTransaction,
  account: Hex,
): HistoryEntry | undefined {
  const sent = payments.filter(({ to, value }) => value > 0n && !isSameAddress(to, account));
  if (sent.length === 0 || (entry !== undefined && entry.coins !== 0n)) return entry;
  const rest = entry ?? { ...place, movements: [], grants: [], recipients: [], senders: [] };
  return {
    ...rest,
    coins: -sent.reduce((sum, { value }) => sum + value, 0n),
    recipients: [...new Set([...rest.recipients, ...sent.map(({ to }) => lowerCase(to))])],
    isUnknown: false,
  };
}

/** How an entry calls what it is about. */
export type HistoryWords = {
  /** An amount of the network's coin, in wei. */
  readonly coins: (wei: bigint) => string;
  /** An amount of an asset, such as "40 DEMO". */
  readonly amount: (asset: Movement['asset'], amount: bigint) => string;
  readonly name: (address: Hex) => string;
};

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

const partyWords = (word: 'to' | 'from', parties: readonly Hex[], { name }: HistoryWords): string => {
  const known = parties.filter((party) => party !== ZERO_ADDRESS);
  if (known.length === 0 || known.length > 2) return '';
  return ` ${word} ${listed(known.map(name))}`;
};

const grantWords = ({ allowance }: Grant, { amount, name }: HistoryWords): string => {
  const spender = name(allowance.spender);
  const { token } = allowance;
  if (allowance.kind === 'everything') return `Let ${spender} move everything in ${name(token)}`;
  if (allowance.kind === 'nft') return `Let ${spender} move ${amount({ kind: 'erc721', token, id: allowance.id }, 1n)}`;
  return `Let ${spender} spend ${amount({ kind: 'erc20', token }, allowance.amount)}`;
};

/** @returns What a transaction did, in a line: "Sent 40 DEMO to Alice", "Swapped 1 WETH for 2,950 USDC". */
export function historyTitle(entry: HistoryEntry, words: HistoryWords): string {
  const amounts = (sign: bigint): string[] => [
    ...(entry.coins * sign > 0n ? [words.coins(entry.coins * sign)] : []),
    ...entry.movements.filter(({ net }) => net * sign > 0n).map(({ asset, net }) => words.amount(asset, net * sign)),
  ];
  const [sent, received] = [amounts(-1n), amounts(1n)];
  if (sent.length > 0 && received.length > 0) return `Swapped ${listed(sent)} for ${listed(received)}`;
  if (sent.length > 0) return `Sent ${listed(sent)}${partyWords('to', entry.recipients, words)}`;
  if (received.length > 0) return `Received ${listed(received)}${partyWords('from', entry.senders, words)}`;
  const [grant] = entry.grants;
  if (grant === undefined) return '';
  const more = entry.grants.length - 1;
  return `${grantWords(grant, words)}${more > 0 ? `, and ${more} more` : ''}`;
}
