import type { Share } from '../../admission/share';
import { unavailable } from '../errors';

/** How long a filter lasts without being used, as in go-ethereum. */
export const FILTER_MS = 5 * 60_000;

/** What one filter takes in memory. */
const FILTER_BYTES = 512;

/** Where a filter of a key is. The node keeps what was asked for, and the changes. */
export type StoredFilter = {
  /** Label of the node. */
  readonly node: string;
  /** JSON of the ID that the node has given it. */
  readonly id: string;
  /** Digest of what the key was limited to when the filter was made. */
  readonly limits: string;
};

/** Whose filters: those of a key on a network. */
export type FilterOwner = {
  /** ID of the key. */
  readonly key: string;
  readonly network: string;
  /** What filters that are kept in this process are charged to. */
  readonly memory: Share;
};

/** The filters of all keys. One that is not used for {@link FILTER_MS} ends. */
export type FilterStore = {
  /**
   * Adds a filter. An earlier one with the same ID at the same node ends: that node has lost it, and counts anew.
   *
   * @returns Whether it was added: nothing is if the owner has `limit` filters.
   */
  add(owner: FilterOwner, id: string, filter: StoredFilter, limit: number): Promise<boolean>;
  /** @returns The filter, whose time begins anew; undefined if the owner has none of this ID. */
  use(owner: FilterOwner, id: string): Promise<StoredFilter | undefined>;
  /** @returns The filter that is gone now. */
  remove(owner: FilterOwner, id: string): Promise<StoredFilter | undefined>;
  close(): Promise<void>;
};

/** A store that several processes share cannot be reached. */
export const storeUnavailable = (cause: unknown) => unavailable('the filters cannot be reached, try again', cause);

type Row = { readonly filter: StoredFilter; readonly memory: Share; readonly place: string; until: number };

const ownerOf = ({ key, network }: FilterOwner) => `${key} ${network}`;

/** Where a filter is: no node has two in one place. */
const placeOf = ({ network }: FilterOwner, { node, id }: StoredFilter) => `${network} ${node} ${id}`;

/** How often filters that have ended are looked for, so that they take no memory. */
const SWEEP_MS = 60_000;

/** Keeps filters in this process. */
export class MemoryFilters implements FilterStore {
  readonly #rows = new Map<string, Map<string, Row>>();
  /** Ends what is in a place. */
  readonly #ends = new Map<string, () => void>();
  readonly #now: () => number;
  readonly #sweeping: NodeJS.Timeout;

  /** @param now - A monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#sweeping = setInterval(() => {
      for (const owner of [...this.#rows.keys()]) this.#live(owner);
    }, SWEEP_MS).unref();
  }

  async add(owner: FilterOwner, id: string, filter: StoredFilter, limit: number): Promise<boolean> {
    const [name, place] = [ownerOf(owner), placeOf(owner, filter)];
    this.#ends.get(place)?.();
    const rows = this.#live(name) ?? new Map<string, Row>();
    if (rows.size >= limit) return false;
    owner.memory.charge(FILTER_BYTES);
    const row = { filter, memory: owner.memory, place, until: this.#now() + FILTER_MS };
    rows.set(id, row);
    this.#rows.set(name, rows);
    this.#ends.set(place, () => {
      this.#end(name, id, row);
    });
    return true;
  }

  async use(owner: FilterOwner, id: string): Promise<StoredFilter | undefined> {
    const row = this.#live(ownerOf(owner))?.get(id);
    if (row) row.until = this.#now() + FILTER_MS;
    return row?.filter;
  }

  async remove(owner: FilterOwner, id: string): Promise<StoredFilter | undefined> {
    const name = ownerOf(owner);
    const row = this.#live(name)?.get(id);
    if (row) this.#end(name, id, row);
    return row?.filter;
  }

  /** Ends what is too old. */
  #live(owner: string): Map<string, Row> | undefined {
    const now = this.#now();
    for (const [id, row] of this.#rows.get(owner) ?? []) if (row.until <= now) this.#end(owner, id, row);
    return this.#rows.get(owner);
  }

  #end(owner: string, id: string, { memory, place }: Row): void {
    memory.give(FILTER_BYTES);
    this.#ends.delete(place);
    const rows = this.#rows.get(owner);
    rows?.delete(id);
    if (rows?.size === 0) this.#rows.delete(owner);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
  }
}
