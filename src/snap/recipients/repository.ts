import { type Json } from '@metamask/snaps-sdk';

import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { ChainNameStruct } from '../../core/schemas/chain';
import { bytesStruct } from '../../core/schemas/hex';
import { array, exactOptional, type Infer, integer, object, string } from '../../core/schemas/struct';
import { Mutex } from '../platform/mutex';
import { type StateStore } from '../platform/state';
import { same } from '../storage/consented-change';
import { Remembered } from '../storage/remembered';

/** The maximum number of recipients per account, and of accounts. The least recent are dropped first. */
const MAX_ADDRESSES = 200;
const MAX_ACCOUNTS = 50;
/** So many recipients are dropped for one request at most: a site that asks for large batches cannot empty the history. */
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

/** What one account has done, on any network: lower-case addresses and signatures, the most recent first. */
export const HistoryStruct = object({
  account: AddressStruct,
  addresses: array(AddressStruct),
  signed: exactOptional(array(SignedStruct)),
});
type History = Infer<typeof HistoryStruct>;

const withoutAccount = (all: readonly History[], account: Hex): History[] =>
  all.filter((history) => !isSameAddress(history.account, account));

/** Adds recipients, lower-case, in front of earlier ones. What a full history has no room for is not added. */
function withRecent(recent: readonly Hex[], earlier: readonly Hex[]): Hex[] {
  const added = [...new Set(recent)].filter((address) => !earlier.includes(address));
  const tooMany = new Set(added.slice(MAX_ADDRESSES - earlier.length + MAX_DROPPED));
  const kept = recent.filter((address) => !tooMany.has(address));
  return [...new Set([...kept, ...earlier])].slice(0, MAX_ADDRESSES);
}

/**
 * Where each account has sent to and what it has signed before, the most recently used account first. Unreadable entries
 * are dropped: their recipients are then new again. It is not in backups.
 */
export class RecipientRepository {
  readonly #store: StateStore;
  readonly #stored = new Remembered<readonly History[]>();
  readonly #writing = new Mutex();

  /** @param store - A store at the current schema version; see `versionedState`. */
  constructor(store: StateStore) {
    this.#store = store;
  }

  /** @returns The addresses that the account has sent to, in lower case, the most recent first. */
  async used(account: Hex): Promise<readonly Hex[]> {
    return (await this.#all()).find((history) => isSameAddress(history.account, account))?.addresses ?? [];
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
   * @param signed - A signature that was given out. What Keystead sends itself is kept as a batch instead.
   * @throws {StateError} If the state cannot be read or written. What was sent or signed stays so.
   */
  async remember(account: Hex, addresses: readonly Hex[], signed?: Signed): Promise<void> {
    if (addresses.length === 0 && signed === undefined) return;
    await this.#change((all) => {
      const recent = addresses.map((address) => address.toLowerCase() as Hex);
      const before = all.find((history) => isSameAddress(history.account, account));
      const signatures = [...(signed === undefined ? [] : [signed]), ...(before?.signed ?? [])];
      const history = {
        account: account.toLowerCase() as Hex,
        addresses: withRecent(recent, before?.addresses ?? []),
        ...(signatures.length > 0 && { signed: signatures.slice(0, MAX_SIGNED) }),
      };
      return [history, ...withoutAccount(all, account)].slice(0, MAX_ACCOUNTS);
    });
  }

  /** @returns The accounts that have sent something, the most recent first, each with its number of recipients. */
  async counts(): Promise<readonly { readonly account: Hex; readonly recipients: number }[]> {
    return (await this.#all()).map(({ account, addresses }) => ({ account, recipients: addresses.length }));
  }

  /** Drops all records. */
  async clear(): Promise<void> {
    await this.#change(() => []);
  }

  /** Drops the record of a deleted account. */
  async forget(account: Hex): Promise<void> {
    await this.#change((all) => withoutAccount(all, account));
  }

  #all(): Promise<readonly History[]> {
    return this.#stored.get(async () => {
      const stored = await this.#store.read('recipients');
      return Array.isArray(stored) ? stored.filter((entry): entry is Json & History => HistoryStruct.is(entry)) : [];
    });
  }

  async #change(change: (all: readonly History[]) => History[]): Promise<void> {
    await this.#writing.runExclusive(async () => {
      const before = await this.#all();
      const after = change(before);
      if (same(after, before)) return;
      await this.#stored.set(after, () => this.#store.write('recipients', after));
    });
  }
}
