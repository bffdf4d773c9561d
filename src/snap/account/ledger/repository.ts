import { isSameAddress } from '../../../core/eth/address';
import { type Hex, lowerCase } from '../../../core/eth/bytes';
import { type StoredScan, StoredScanStruct } from '../../../core/ledger/stored-scan';
import { AddressStruct } from '../../../core/schemas/address';
import { type ChainName } from '../../../core/schemas/chain';
import { type StateStore, StoredList } from '../../wallet/state';

/** The least recent ones are dropped first. */
const MAX_ACCOUNTS = 20;
const MAX_SCANS = 8;

/** The accounts that requests were for, the last one first; and what was searched for them. */
export class LedgerRepository {
  readonly #asked: StoredList<Hex>;
  readonly #scans: StoredList<StoredScan>;

  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    this.#asked = new StoredList(store, 'asked', AddressStruct);
    this.#scans = new StoredList(store, 'scans', StoredScanStruct);
  }

  /** @throws {StateError} If the state cannot be read. */
  accounts(): Promise<readonly Hex[]> {
    return this.#asked.read();
  }

  /** @throws {StateError} If the state cannot be read or written. */
  async addAccount(account: Hex): Promise<void> {
    const added = lowerCase(account);
    await this.#asked.change((all) =>
      all[0] === added ? all : [added, ...all.filter((one) => one !== added)].slice(0, MAX_ACCOUNTS),
    );
  }

  /** @throws {StateError} If the state cannot be read or written. */
  async clear(): Promise<void> {
    await this.#asked.change(() => []);
    await this.#scans.change(() => []);
  }

  /** @returns What was searched for an account on a network; undefined if nothing was. */
  async scanOf(account: Hex, chainId: ChainName): Promise<StoredScan | undefined> {
    const all = await this.#scans.read();
    return all.find((one) => isSameAddress(one.account, account) && one.chainId === chainId);
  }

  /** @throws {StateError} If the state cannot be read or written. */
  async keepScan(scan: StoredScan): Promise<void> {
    await this.#scans.change((all) =>
      [scan, ...all.filter((one) => one.chainId !== scan.chainId || !isSameAddress(one.account, scan.account))].slice(
        0,
        MAX_SCANS,
      ),
    );
  }
}
