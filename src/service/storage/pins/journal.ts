import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import { Journal } from '../journal';
import { takeOut } from '../passing';
import { turnTaker } from '../turns';
import { mustBeRecursive, mustBeRemovable, type Pin, type PinBook, type PinMode, pinOver } from './book';

/** A change of the pins: `mode` absent removes the pin. */
type Change = { readonly tenant: string; readonly cid: string; readonly mode?: PinMode; readonly name?: string };

type How = { readonly mode: PinMode; readonly name: string };

const UNNAMED: Readonly<Record<PinMode, How>> = {
  recursive: { mode: 'recursive', name: '' },
  direct: { mode: 'direct', name: '' },
};
const howOf = (mode: PinMode, name: string): How => (name === '' ? UNNAMED[mode] : { mode, name });

/** What is pinned at the call. To read a CID takes microseconds, and there may be millions of them. */
async function pinsOf(books: Iterable<ReadonlyMap<string, How>>): Promise<Pin[]> {
  const entries = [...books].flatMap((pins) => [...pins]);
  const takeTurn = turnTaker();
  const pins: Pin[] = [];
  for (const [cid, how] of entries) {
    const turn = takeTurn();
    if (turn !== undefined) await turn;
    pins.push({ cid: CID.parse(cid), ...how });
  }
  return pins;
}

const REWRITE_ABOVE = 1 << 20;

/** Pins in memory and in a journal. */
export class JournalPins implements PinBook {
  /** Tenant -> CID -> how it is pinned. Most pins share one object; CIDs stay text until somebody asks. */
  readonly #tenants = new Map<string, Map<string, How>>();
  #journal: Journal | undefined;
  /** By tenant and CID: settled once the latest change of that pin that somebody asked for is done, or refused. */
  #changing = new Map<string, Promise<unknown>>();

  /** Opens the book in `directory`. With `durable` false a crash of the machine may lose the latest changes. */
  static async open(directory: string, durable: boolean): Promise<JournalPins> {
    const path = join(directory, 'pins.journal');
    const book = new JournalPins();
    let changes = 0;
    book.#journal = await Journal.open(path, durable, (value) => {
      book.#apply(value as Change);
      changes++;
    });
    if (book.#journal.size > REWRITE_ABOVE && changes > 2 * book.#count) {
      book.#journal = await book.#journal.rewritten(book.#everything(), false);
    }
    return book;
  }

  get(tenant: string, cid: CID): Promise<Pin | undefined> {
    return Promise.resolve(this.#find(tenant, cid));
  }

  list(tenant: string): Promise<Pin[]> {
    return pinsOf([this.#tenants.get(tenant) ?? new Map<string, How>()]);
  }

  all(): Promise<Pin[]> {
    return pinsOf(this.#tenants.values());
  }

  add(tenant: string, cid: CID, mode: PinMode, newName?: string): Promise<void> {
    return this.#inTurn(tenant, [cid], async () => {
      const existing = this.#find(tenant, cid);
      const { name } = pinOver(existing, cid, mode, newName);
      const isSame = existing?.mode === mode && existing.name === name;
      // What there is already is promised as long as the journal is sound.
      await this.#record(isSame ? [] : [{ tenant, cid: cid.toString(), mode, name }]);
    });
  }

  remove(tenant: string, cid: CID, recursive: boolean): Promise<void> {
    return this.#inTurn(tenant, [cid], async () => {
      mustBeRemovable(this.#find(tenant, cid), recursive);
      await this.#record([{ tenant, cid: cid.toString() }]);
    });
  }

  /** In one step. */
  move(tenant: string, from: CID, to: CID, unpin: boolean): Promise<void> {
    return this.#inTurn(tenant, [from, to], async () => {
      const existing = this.#find(tenant, from);
      mustBeRecursive(existing);
      const changes: Change[] = [{ tenant, cid: to.toString(), mode: 'recursive', name: existing.name }];
      if (unpin && !from.equals(to)) changes.push({ tenant, cid: from.toString() });
      await this.#record(changes);
    });
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  get #count(): number {
    return [...this.#tenants.values()].reduce((sum, pins) => sum + pins.size, 0);
  }

  #find(tenant: string, cid: CID): Pin | undefined {
    const how = this.#tenants.get(tenant)?.get(cid.toString());
    return how && { cid, ...how };
  }

  /**
   * Makes a change once those of the same pins that were asked for before are settled: what it builds on is then on the
   * disk, or refused. Changes of other pins share their way to the disk.
   */
  async #inTurn(tenant: string, cids: readonly CID[], change: () => Promise<void>): Promise<void> {
    const places = cids.map((cid) => JSON.stringify([tenant, cid.toString()]));
    const changed = Promise.all(places.map((place) => this.#changing.get(place))).then(change);
    const settled = changed.catch(() => undefined);
    for (const place of places) this.#changing.set(place, settled);
    try {
      await changed;
    } finally {
      for (const place of places) {
        if (this.#changing.get(place) === settled) this.#changing = takeOut(this.#changing, place);
      }
    }
  }

  /**
   * On the disk first: if it refuses, nothing has changed, and no collection has taken a pin for released. Until then the
   * request that pins keeps the blocks.
   */
  async #record(changes: readonly Change[]): Promise<void> {
    await this.#journal?.append(changes);
    for (const change of changes) this.#apply(change);
  }

  #apply({ tenant, cid, mode, name = '' }: Change): void {
    this.#set(tenant, cid, mode === undefined ? undefined : howOf(mode, name));
  }

  #set(tenant: string, cid: string, how: How | undefined): void {
    let pins = this.#tenants.get(tenant);
    if (pins === undefined) {
      pins = new Map();
      this.#tenants.set(tenant, pins);
    }
    if (how === undefined) pins.delete(cid);
    else pins.set(cid, how);
  }

  *#everything(): Generator<Change> {
    for (const [tenant, pins] of this.#tenants) {
      for (const [cid, { mode, name }] of pins) yield { tenant, cid, mode, name };
    }
  }
}
