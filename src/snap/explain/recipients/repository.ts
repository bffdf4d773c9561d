import { type Explanation } from '../../../core/decode/explanation';
import { type Json } from '@metamask/snaps-sdk';

import { type Hex, lowerCase } from '../../../core/eth/bytes';
import { AddressStruct } from '../../../core/schemas/address';
import { ChainNameStruct } from '../../../core/schemas/chain';
import { bytesStruct } from '../../../core/structs/hex';
import { accepted, array, exactOptional, type Infer, integer, object, string } from '../../../core/structs/struct';
import { Mutex } from '../../../core/mutex';
import { same, type StateStore, Stored } from '../../wallet/state';

/** @returns Who a request sends assets to. Contracts that are only sent data do not count. */
export const sentTo = ({ unresolved }: Explanation): readonly Hex[] =>
  (unresolved?.counterparties ?? []).flatMap(({ address, how }) => (how === 'sent' ? [address] : []));

/** The maximum number of recipients per account, and of accounts. The least recent are dropped first. */
const MAX_ADDRESSES = 200;
const MAX_ACCOUNTS = 50;
/**
 * So many recipients are dropped for one request at most: a site that asks for large batches cannot empty the history.
 */
const MAX_DROPPED = 20;
/** The maximum number of signatures per account. The oldest are dropped first. */
const MAX_SIGNED = 50;

const SignedStruct = object({
  /** Milliseconds since 1970. */
  at: integer(),
  origin: string(),
  method: string(),
  chainId: exactOptional(ChainNameStruct),
  /** Of the transaction or user operation. */
  hash: exactOptional(bytesStruct(32)),
});

/** A signature that was given: for whom and what kind, but not over what. */
export type Signed = Infer<typeof SignedStruct>;

/** The history of one account on all networks: lower-case addresses and signatures, the most recent first. */
const HistoryStruct = object({
  addresses: array(AddressStruct),
  signed: exactOptional(array(SignedStruct)),
});
type History = Infer<typeof HistoryStruct>;

/** The history of an account under its lower-case address, or null where it was dropped. */
export const isSoundHistory = (stored: unknown, account: string): boolean =>
  AddressStruct.is(account) && (stored === null || HistoryStruct.is(stored));

/** The accounts that have a history, in lower case, the most recently used first. */
export const HistoryOrderStruct = array(AddressStruct);

const NOTHING: History = { addresses: [] };

/**
 * Adds recipients, lower-case, in front of earlier ones, and a signature. What a full history has no room for is not
 * added.
 */
function withMore({ addresses: earlier, signed = [] }: History, recent: readonly Hex[], one?: Signed): History {
  const added = [...new Set(recent)].filter((address) => !earlier.includes(address));
  const tooMany = new Set(added.slice(MAX_ADDRESSES - earlier.length + MAX_DROPPED));
  const kept = recent.filter((address) => !tooMany.has(address));
  const addresses = [...new Set([...kept, ...earlier])].slice(0, MAX_ADDRESSES);
  const given = one === undefined ? signed : [one, ...signed].slice(0, MAX_SIGNED);
  return { addresses, ...(given.length > 0 && { signed: given }) };
}

/** Removes a signature once, and addresses. */
function without({ addresses, signed = [] }: History, added: readonly Hex[], one: Signed | undefined): History {
  const at = signed.findIndex((other) => same(other, one));
  const left = signed.filter((_, index) => index !== at);
  return {
    addresses: addresses.filter((address) => !added.includes(address)),
    ...(left.length > 0 && { signed: left }),
  };
}

/**
 * The addresses to which each account has sent, and what it has signed. Each account has a key of its own in the state,
 * so that the cost of a signature does not depend on the histories of others. Unreadable histories are dropped: their
 * recipients are then new again. They are not in backups.
 */
export class RecipientRepository {
  readonly #store: StateStore;
  /** By lower-case address. */
  readonly #histories = new Map<Hex, Stored<History>>();
  readonly #order: Stored<readonly Hex[]>;
  readonly #writing = new Mutex();

  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    this.#store = store;
    this.#order = new Stored(store, 'historyOrder', (stored) => accepted(HistoryOrderStruct, stored) ?? []);
  }

  /** @returns The addresses that the account has sent to, in lower case, the most recent first. */
  async used(account: Hex): Promise<readonly Hex[]> {
    return (await this.#of(lowerCase(account)).read()).addresses;
  }

  /** @returns The same, if it is known without asking the wallet. */
  usedAsKnown(account: Hex): readonly Hex[] | undefined {
    return this.#histories.get(lowerCase(account))?.known?.addresses;
  }

  /** @returns The signatures of every account, the most recent first. */
  async signed(): Promise<readonly (Signed & { readonly account: Hex })[]> {
    return (await this.#all())
      .flatMap(({ account, signed = [] }) => signed.map((one) => ({ account, ...one })))
      .sort((a, b) => b.at - a.at);
  }

  /**
   * Records what an account has sent to and signed, in one write. Writes nothing if the record does not change.
   *
   * @param signed - A signature that is given out. What Keystead sends itself is kept as a batch instead.
   * @returns How to take the record back, if nothing was signed after all.
   * @throws {StateError} If the state cannot be read or written. What was sent or signed stays so.
   */
  async remember(account: Hex, addresses: readonly Hex[], signed?: Signed): Promise<() => Promise<void>> {
    const key = lowerCase(account);
    const recent = addresses.map(lowerCase);
    if (recent.length === 0 && signed === undefined) return () => Promise.resolve();
    let added: readonly Hex[] = [];
    await this.#change(key, (before) => {
      const after = withMore(before, recent, signed);
      added = after.addresses.filter((address) => !before.addresses.includes(address));
      return after;
    });
    return () => this.#change(key, (history) => without(history, added, signed));
  }

  /** @returns The accounts that have sent something, the most recent first, each with its number of recipients. */
  async counts(): Promise<readonly { readonly account: Hex; readonly recipients: number }[]> {
    return (await this.#all()).map(({ account, addresses }) => ({ account, recipients: addresses.length }));
  }

  /** Drops all records. */
  async clear(): Promise<void> {
    await this.#writing.runExclusive(async () => {
      this.#histories.clear();
      await this.#store.write('histories', {});
      await this.#order.write([]);
      this.#histories.clear();
    });
  }

  /** Drops the record of a deleted account. */
  async forget(account: Hex): Promise<void> {
    const key = lowerCase(account);
    await this.#writing.runExclusive(async () => {
      const [order, history] = await Promise.all([this.#order.read(), this.#of(key).read()]);
      if (!order.includes(key) && same(history, NOTHING)) return;
      // The address is a name in the state too, so that writing null under it would keep it.
      const { [key]: forgotten, ...rest } = await this.#stored();
      this.#histories.delete(key);
      if (forgotten !== undefined) await this.#store.write('histories', rest);
      this.#histories.delete(key);
      await this.#order.write(order.filter((other) => other !== key));
    });
  }

  #of(key: Hex): Stored<History> {
    const known =
      this.#histories.get(key) ??
      new Stored(this.#store, `histories.${key}`, (stored) => accepted(HistoryStruct, stored) ?? NOTHING);
    this.#histories.set(key, known);
    return known;
  }

  async #stored(): Promise<Record<string, Json>> {
    const stored = await this.#store.read('histories');
    return typeof stored === 'object' && stored !== null && !Array.isArray(stored) ? stored : {};
  }

  async #all(): Promise<readonly (History & { readonly account: Hex })[]> {
    const [order, stored] = await Promise.all([this.#order.read(), this.#stored()]);
    const others = Object.keys(stored).filter((account) => !order.includes(account as Hex)) as Hex[];
    return [...order, ...others].flatMap((account) => {
      const history = accepted(HistoryStruct, stored[account]);
      return history === undefined ? [] : [{ account, ...history }];
    });
  }

  async #change(key: Hex, change: (before: History) => History): Promise<void> {
    await this.#writing.runExclusive(async () => {
      const history = this.#of(key);
      const [before, order] = await Promise.all([history.read(), this.#order.read()]);
      const after = change(before);
      if (same(after, before)) return;
      await Promise.all([history.write(after), ...(order[0] === key ? [] : this.#use(key, order))]);
    });
  }

  /** Puts an account first, and drops the histories of those that were used least recently. */
  #use(key: Hex, order: readonly Hex[]): Promise<void>[] {
    const after = [key, ...order.filter((other) => other !== key)];
    const dropped = after.slice(MAX_ACCOUNTS);
    return [
      this.#order.write(after.slice(0, MAX_ACCOUNTS)),
      ...dropped.map((other) => this.#of(other).write(NOTHING, null)),
    ];
  }
}
