import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import { Journal } from '../journal';
import { mustBeRecursive, mustBeRemovable, type Pin, type PinBook, type PinMode, pinOver } from './book';

/** A change of the pins: `mode` absent removes the pin. */
type Change = { readonly tenant: string; readonly cid: string; readonly mode?: PinMode; readonly name?: string };

type How = { readonly mode: PinMode; readonly name: string };

const UNNAMED: Readonly<Record<PinMode, How>> = {
  recursive: { mode: 'recursive', name: '' },
  direct: { mode: 'direct', name: '' },
};
const howOf = (mode: PinMode, name: string): How => (name === '' ? UNNAMED[mode] : { mode, name });
const pinsOf = (pins: ReadonlyMap<string, How> = new Map()): Pin[] =>
  [...pins].map(([cid, how]) => ({ cid: CID.parse(cid), ...how }));

const REWRITE_ABOVE = 1 << 20;

/** Pins in memory and in a journal. */
export class JournalPins implements PinBook {
  /** Tenant -> CID -> how it is pinned. Most pins share one object; CIDs stay text until somebody asks. */
  readonly #tenants = new Map<string, Map<string, How>>();
  #journal: Journal | undefined;
  /** Changes on their way to the disk. */
  readonly #recording = new Set<Promise<void>>();

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
      await book.#journal.close();
      await Journal.rewrite(path, book.#everything());
      book.#journal = await Journal.open(path, durable, () => undefined);
    }
    return book;
  }

  get(tenant: string, cid: CID): Promise<Pin | undefined> {
    return Promise.resolve(this.#find(tenant, cid));
  }

  list(tenant: string): Promise<Pin[]> {
    return Promise.resolve(pinsOf(this.#tenants.get(tenant)));
  }

  all(): Promise<Pin[]> {
    return Promise.resolve([...this.#tenants.values()].flatMap(pinsOf));
  }

  async add(tenant: string, cid: CID, mode: PinMode, newName?: string): Promise<void> {
    const existing = this.#find(tenant, cid);
    const { name } = pinOver(existing, cid, mode, newName);
    if (existing?.mode === mode && existing.name === name) {
      // Another request may have just made this pin, and not have it on the disk yet.
      await Promise.all(this.#recording);
      return;
    }
    await this.#record([{ tenant, cid: cid.toString(), mode, name }]);
  }

  async remove(tenant: string, cid: CID, recursive: boolean): Promise<void> {
    mustBeRemovable(this.#find(tenant, cid), recursive);
    await this.#record([{ tenant, cid: cid.toString() }]);
  }

  /** In one step. */
  async move(tenant: string, from: CID, to: CID, unpin: boolean): Promise<void> {
    const existing = this.#find(tenant, from);
    mustBeRecursive(existing);
    const changes: Change[] = [{ tenant, cid: to.toString(), mode: 'recursive', name: existing.name }];
    if (unpin && !from.equals(to)) changes.push({ tenant, cid: from.toString() });
    await this.#record(changes);
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

  /** In memory first, so that garbage collection sees it at once; if the disk refuses, it is taken back. */
  async #record(changes: readonly Change[]): Promise<void> {
    const undo = changes.map((change) => {
      const before = this.#tenants.get(change.tenant)?.get(change.cid);
      this.#apply(change);
      return () => {
        this.#set(change.tenant, change.cid, before);
      };
    });
    const recording = this.#journal?.append(changes) ?? Promise.resolve();
    this.#recording.add(recording);
    try {
      await recording;
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    } finally {
      this.#recording.delete(recording);
    }
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
