import { isOfPrepared, type PreparedOperation } from '../../core/erc4337/prepared';
import { type UserOperation } from '../../core/erc4337/user-operation';
import { type Hex } from '../../core/eth/bytes';
import { type StateStore, StoredList } from '../wallet/state';
import { AddressStruct } from '../../core/schemas/address';
import { BytesStruct, bytesStruct, Uint256Struct } from '../../core/structs/hex';
import { boolean, exactOptional, integer, object, string } from '../../core/structs/struct';
import { gasLimitsStruct } from '../../core/schemas/user-operation';

/** The time for which a prepared operation is kept: one hour, in milliseconds. */
const LIFETIME = 3_600_000;
/** The maximum number of operations per caller, and in total. */
const MAX_OF_CALLER = 32;
const MAX_OF_ALL = 192;
/** The caller of the keyring handler. Its operations are never dropped in favour of another caller's. */
const WALLET = 'metamask';

const EntryStruct = object({
  at: integer(),
  /**
   * `metamask` for the keyring handler, otherwise the origin of a site. Older entries without a caller belong to every
   * caller.
   */
  caller: exactOptional(string()),
  operation: object({
    chainId: string(),
    sender: AddressStruct,
    nonce: Uint256Struct,
    initCodeHash: bytesStruct(32),
    callDataHash: bytesStruct(32),
    gasLimits: exactOptional(gasLimitsStruct(Uint256Struct)),
    paymasterAndData: BytesStruct,
    paymasterIsFinal: boolean(),
  }),
});

type Entry = { readonly at: number; readonly caller?: string; readonly operation: PreparedOperation };

const recent = (entries: readonly Entry[]): Entry[] => {
  const oldest = Date.now() - LIFETIME;
  return entries.filter(({ at }) => at >= oldest);
};

const isOf = (caller: string, entry: Entry): boolean => (entry.caller ?? caller) === caller;

/** Keeps only the last of the entries that differ only in age. */
function withoutRepetitions(entries: readonly Entry[]): Entry[] {
  const kept = new Map<string, Entry>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.caller, entry.operation]);
    kept.delete(key);
    kept.set(key, entry);
  }
  return [...kept.values()];
}

/** The caller with the most entries, except the wallet. Its oldest entry is dropped first. */
function largest(entries: readonly Entry[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const { caller } of entries) if (caller !== WALLET) counts.set(caller, (counts.get(caller) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** Drops the entries of the caller that has the most, so that no caller can displace another's operations. */
function bounded(entries: readonly Entry[], caller: string): Entry[] {
  const kept = [...entries];
  const drop = (from: string | undefined): void => {
    kept.splice(
      kept.findIndex((entry) => entry.caller === from),
      1,
    );
  };
  while (kept.filter((entry) => entry.caller === caller).length > MAX_OF_CALLER) drop(caller);
  while (kept.length > MAX_OF_ALL) drop(largest(kept));
  return kept;
}

/**
 * The recently prepared operations. They are stored, so they survive a restart of the snap. Each belongs to the caller
 * it was prepared for, and callers cannot see or change each other's operations. Unreadable entries are dropped; an
 * operation that is not recorded is shown as created elsewhere.
 */
export class PreparedLedger {
  readonly #stored: StoredList<Entry>;

  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    this.#stored = new StoredList(store, 'prepared', EntryStruct);
  }

  /**
   * @param caller - `metamask`, or the origin of a site.
   * @returns The operations prepared for the caller, account and chain, the most recent last.
   */
  async of(caller: string, sender: Hex, chainId: bigint): Promise<PreparedOperation[]> {
    const [wantedSender, wantedChain] = [sender.toLowerCase(), chainId.toString()];
    return recent(await this.#stored.read())
      .filter((entry) => isOf(caller, entry))
      .map(({ operation }) => operation)
      .filter((operation) => operation.sender === wantedSender && operation.chainId === wantedChain);
  }

  /** Records an operation for a caller. An identical one only becomes the most recent. */
  async remember(caller: string, operation: PreparedOperation): Promise<void> {
    await this.#change(caller, (entries) => [...entries, { at: Date.now(), caller, operation }]);
  }

  /** Records the final paymaster data of an operation that was prepared for the caller. */
  async rememberPatch(caller: string, operation: UserOperation, chainId: bigint, patch: Hex): Promise<void> {
    const paymasterAndData = patch.toLowerCase() as Hex;
    const isChanged = (entry: Entry): boolean =>
      isOf(caller, entry) &&
      entry.operation.paymasterAndData !== paymasterAndData &&
      isOfPrepared(operation, chainId, entry.operation);
    if (!recent(await this.#stored.read()).some(isChanged)) return;
    await this.#change(caller, (entries) =>
      entries.flatMap((entry) => {
        if (!isChanged(entry)) return [entry];
        const patched = { ...entry, caller, operation: { ...entry.operation, paymasterAndData } };
        return entry.caller === undefined ? [entry, patched] : [patched];
      }),
    );
  }

  async #change(caller: string, change: (entries: readonly Entry[]) => Entry[]): Promise<void> {
    await this.#stored.change((entries) => bounded(withoutRepetitions(change(recent(entries))), caller));
  }
}
