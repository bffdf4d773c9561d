import { type Json } from '@metamask/snaps-sdk';
import { isOfPrepared, type PreparedOperation } from '../../core/erc4337/prepared';
import { type UserOperation } from '../../core/erc4337/user-operation';
import { type Hex } from '../../core/eth/bytes';
import { Mutex } from '../platform/mutex';
import { Remembered } from '../storage/remembered';
import { type StateStore } from '../platform/state';
import { AddressStruct } from '../../core/schemas/address';
import { BytesStruct, bytesStruct, Uint256Struct } from '../../core/schemas/hex';
import { array, boolean, exactOptional, integer, object, string } from '../../core/schemas/struct';
import { gasLimitsStruct } from '../../core/schemas/user-operation';

/** An hour in milliseconds: what was prepared longer ago is not what somebody is about to sign. */
const LIFETIME = 3_600_000;
/** Operations that are kept of one caller, and of all. */
const MAX_OF_CALLER = 32;
const MAX_OF_ALL = 192;
/** The caller at the keyring door. Its operations make room for nobody else's. */
const WALLET = 'metamask';

const EntryStruct = object({
  at: integer(),
  /** `metamask` at the keyring door, else a site's origin. Entries of before there were callers are everybody's. */
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

const isOf = (caller: string, entry: Entry): boolean => (entry.caller ?? caller) === caller;

/** Of entries that are the same in everything but their age, the last. */
function withoutRepetitions(entries: readonly Entry[]): Entry[] {
  const kept = new Map<string, Entry>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.caller, entry.operation]);
    kept.delete(key);
    kept.set(key, entry);
  }
  return [...kept.values()];
}

/** The caller that has the most entries, the wallet excepted: its oldest goes first. */
function largest(entries: readonly Entry[]): string | undefined {
  const counts = new Map<string | undefined, number>();
  for (const { caller } of entries) if (caller !== WALLET) counts.set(caller, (counts.get(caller) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** Room is made at the cost of who takes it, so that no caller pushes out what another has prepared. */
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
 * The operations prepared lately, kept where a snap that was stopped meanwhile finds them again, each for the
 * caller it was prepared for: nobody sees or changes those of another. What cannot be read is forgotten: an
 * operation that is not in here is shown as one made elsewhere.
 */
export class PreparedLedger {
  readonly #store: StateStore;
  readonly #stored = new Remembered<readonly Entry[]>();
  readonly #writing = new Mutex();

  constructor(store: StateStore) {
    this.#store = store;
  }

  /**
   * @param caller - `metamask`, or the origin of a site.
   * @returns What was prepared for the caller, for an account on a chain, the latest last.
   */
  async of(caller: string, sender: Hex, chainId: bigint): Promise<PreparedOperation[]> {
    const [wantedSender, wantedChain] = [sender.toLowerCase(), chainId.toString()];
    return (await this.#entries())
      .filter((entry) => isOf(caller, entry))
      .map(({ operation }) => operation)
      .filter((operation) => operation.sender === wantedSender && operation.chainId === wantedChain);
  }

  /** Remembers an operation for a caller; one that is the same in everything only becomes the latest. */
  async remember(caller: string, operation: PreparedOperation): Promise<void> {
    await this.#change(caller, (entries) => [...entries, { at: Date.now(), caller, operation }]);
  }

  /** Remembers what the paymaster's final data for an operation is that was prepared for the caller. */
  async rememberPatch(caller: string, operation: UserOperation, chainId: bigint, patch: Hex): Promise<void> {
    const paymasterAndData = patch.toLowerCase() as Hex;
    const isChanged = (entry: Entry): boolean =>
      isOf(caller, entry) &&
      entry.operation.paymasterAndData !== paymasterAndData &&
      isOfPrepared(operation, chainId, entry.operation);
    if (!(await this.#entries()).some(isChanged)) return;
    await this.#change(caller, (entries) =>
      entries.flatMap((entry) => {
        if (!isChanged(entry)) return [entry];
        const patched = { ...entry, caller, operation: { ...entry.operation, paymasterAndData } };
        return entry.caller === undefined ? [entry, patched] : [patched];
      }),
    );
  }

  async #change(caller: string, change: (entries: readonly Entry[]) => Entry[]): Promise<void> {
    await this.#writing.runExclusive(async () => {
      const entries = bounded(withoutRepetitions(change(await this.#entries())), caller);
      await this.#stored.set(entries, () => this.#store.write('prepared', entries as unknown as Json));
    });
  }

  async #entries(): Promise<Entry[]> {
    const stored = await this.#stored.get(async () => {
      const read = await this.#store.read('prepared');
      return array(EntryStruct).is(read) ? read : [];
    });
    const oldest = Date.now() - LIFETIME;
    return stored.filter(({ at }) => at >= oldest);
  }
}
