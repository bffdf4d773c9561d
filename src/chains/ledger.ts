import { type Json } from '@metamask/snaps-sdk';
import { array, boolean, exactOptional, integer, is, object, string } from '@metamask/superstruct';
import { Mutex } from 'async-mutex';

import { isOfPrepared, type PreparedOperation } from '../erc4337/prepared';
import { type UserOperation } from '../erc4337/user-operation';
import { type Hex } from '../eth/bytes';
import { Remembered } from '../platform/remembered';
import { type StateStore } from '../platform/state';
import { AddressStruct } from '../wire/address';
import { BytesStruct, bytesStruct, Uint256Struct } from '../wire/hex';

/** An hour in milliseconds: what was prepared longer ago is not what somebody is about to sign. */
const LIFETIME = 3_600_000;
const MAX_ENTRIES = 64;

const EntryStruct = object({
  at: integer(),
  operation: object({
    chainId: string(),
    sender: AddressStruct,
    nonce: Uint256Struct,
    initCodeHash: bytesStruct(32),
    callDataHash: bytesStruct(32),
    gasLimits: exactOptional(
      object({ callGasLimit: Uint256Struct, verificationGasLimit: Uint256Struct, preVerificationGas: Uint256Struct }),
    ),
    paymasterAndData: BytesStruct,
    paymasterIsFinal: boolean(),
  }),
});

type Entry = { readonly at: number; readonly operation: PreparedOperation };

/**
 * The operations prepared lately, kept where a snap that was stopped meanwhile finds them again. What cannot
 * be read is forgotten: an operation that is not in here is shown as one made elsewhere.
 */
export class PreparedLedger {
  readonly #store: StateStore;
  readonly #stored = new Remembered<readonly Entry[]>();
  readonly #writing = new Mutex();

  constructor(store: StateStore) {
    this.#store = store;
  }

  /** @returns What was prepared for an account on a chain, the latest last. */
  async of(sender: Hex, chainId: bigint): Promise<PreparedOperation[]> {
    const [wantedSender, wantedChain] = [sender.toLowerCase(), chainId.toString()];
    return (await this.#entries())
      .map(({ operation }) => operation)
      .filter((operation) => operation.sender === wantedSender && operation.chainId === wantedChain);
  }

  /** Remembers an operation; one that is the same in everything only becomes the latest. */
  async remember(operation: PreparedOperation): Promise<void> {
    await this.#change((entries) => [
      ...entries.filter((entry) => JSON.stringify(entry.operation) !== JSON.stringify(operation)),
      { at: Date.now(), operation },
    ]);
  }

  /** Remembers what the paymaster's final data for a prepared operation is. */
  async rememberPatch(operation: UserOperation, chainId: bigint, paymasterAndData: Hex): Promise<void> {
    const final = paymasterAndData.toLowerCase() as Hex;
    const isChanged = ({ operation: prepared }: Entry): boolean =>
      prepared.paymasterAndData !== final && isOfPrepared(operation, chainId, prepared);
    if (!(await this.#entries()).some(isChanged)) return;
    await this.#change((entries) =>
      entries.map((entry) =>
        isChanged(entry) ? { ...entry, operation: { ...entry.operation, paymasterAndData: final } } : entry,
      ),
    );
  }

  async #change(change: (entries: readonly Entry[]) => Entry[]): Promise<void> {
    await this.#writing.runExclusive(async () => {
      const entries = change(await this.#entries()).slice(-MAX_ENTRIES);
      await this.#stored.set(entries, () => this.#store.write('prepared', entries as unknown as Json));
    });
  }

  async #entries(): Promise<Entry[]> {
    const stored = await this.#stored.get(async () => {
      const read = await this.#store.read('prepared');
      return is(read, array(EntryStruct)) ? read : [];
    });
    const oldest = Date.now() - LIFETIME;
    return stored.filter(({ at }) => at >= oldest);
  }
}
