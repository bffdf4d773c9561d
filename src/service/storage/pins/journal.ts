import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import { Journal } from '../journal';
import { cooperativeYield } from '../cooperative-yield';
import {
  mustBeRecursive,
  mustBeRemovable,
  type OwnedPin,
  type Pin,
  type PinStore,
  type PinMode,
  pinOver,
} from './pin-store';

/** A change to the pins; without `mode` it removes the pin. */
type Change = { readonly tenant: string; readonly cid: string; readonly mode?: PinMode; readonly name?: string };

type How = { readonly mode: PinMode; readonly name: string };

const UNNAMED: Readonly<Record<PinMode, How>> = {
  recursive: { mode: 'recursive', name: '' },
  direct: { mode: 'direct', name: '' },
};
const howOf = (mode: PinMode, name: string): How => (name === '' ? UNNAMED[mode] : { mode, name });

/**
 * The pins at the time of the call. Parsing a CID takes microseconds, and there may be millions, so it yields now and
 * then.
 */
async function pinsOf(tenant: string, book: ReadonlyMap<string, How> = new Map<string, How>()): Promise<OwnedPin[]> {
  const maybeYield = cooperativeYield();
  const pins: OwnedPin[] = [];
  for (const [cid, how] of [...book]) {
    const pause = maybeYield();
    if (pause !== undefined) await pause;
    pins.push({ tenant, cid: CID.parse(cid), ...how });
  }
  return pins;
}

const REWRITE_ABOVE = 1 << 20;

/** Pins in memory and in a journal. */
export class JournalPins implements PinStore {
  /** Tenant -> CID -> pin. Most pins share one object; CIDs stay text until they are needed. */
  readonly #tenants = new Map<string, Map<string, How>>();
  #journal: Journal | undefined;
  /** By tenant and CID: settled once the latest requested change of that pin has been made or rejected. */
  readonly #changing = new Map<string, Promise<unknown>>();

  /** Opens the pins in `directory`. Without `durable`, a crash of the machine may lose the latest changes. */
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
    return pinsOf(tenant, this.#tenants.get(tenant));
  }

  async all(): Promise<OwnedPin[]> {
    return (await Promise.all([...this.#tenants].map(([tenant, book]) => pinsOf(tenant, book)))).flat();
  }

  add(tenant: string, cid: CID, mode: PinMode, newName?: string): Promise<void> {
    return this.#serialize(tenant, [cid], async () => {
      const existing = this.#find(tenant, cid);
      const { name } = pinOver(existing, cid, mode, newName);
      const isSame = existing?.mode === mode && existing.name === name;
      // Existing state is durable as long as the journal works; an empty append checks that.
      await this.#record(isSame ? [] : [{ tenant, cid: cid.toString(), mode, name }]);
    });
  }

  remove(tenant: string, cid: CID, recursive: boolean): Promise<void> {
    return this.#serialize(tenant, [cid], async () => {
      mustBeRemovable(this.#find(tenant, cid), recursive);
      await this.#record([{ tenant, cid: cid.toString() }]);
    });
  }

  /** Atomic. */
  move(tenant: string, from: CID, to: CID, unpin: boolean): Promise<void> {
    return this.#serialize(tenant, [from, to], async () => {
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
   * Makes a change after earlier changes of the same pins have settled, so that the state it builds on is durable or
   * rejected. Changes of different pins share disk writes.
   */
  async #serialize(tenant: string, cids: readonly CID[], change: () => Promise<void>): Promise<void> {
    const places = cids.map((cid) => JSON.stringify([tenant, cid.toString()]));
    const changed = Promise.all(places.map((place) => this.#changing.get(place))).then(change);
    const settled = changed.catch(() => undefined);
    for (const place of places) this.#changing.set(place, settled);
    try {
      await changed;
    } finally {
      for (const place of places) {
        if (this.#changing.get(place) === settled) this.#changing.delete(place);
      }
    }
  }

  /**
   * Writes to disk first: if that fails, nothing has changed, and no collection has treated a pin as released. Until
   * then the pinning request keeps the blocks.
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
