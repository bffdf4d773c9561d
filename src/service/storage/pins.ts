import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import { CommandError } from './errors';
import { Journal } from './journal';

export type PinMode = 'recursive' | 'direct';
export type Pin = { readonly cid: CID; readonly mode: PinMode; readonly name: string };

/** A change of the pins: `mode` absent removes the pin. */
type Change = { readonly tenant: string; readonly cid: string; readonly mode?: PinMode; readonly name?: string };

const REWRITE_ABOVE = 1 << 20;

/** The pins of every tenant, in memory and in a journal; a tenant sees its own only. */
export class PinBook {
  readonly #tenants = new Map<string, Map<string, Pin>>();
  #journal: Journal | undefined;
  /** Changes on their way to the disk. */
  readonly #recording = new Set<Promise<void>>();

  /** Opens the book in `directory`. With `durable` false a crash of the machine may lose the latest changes. */
  static async open(directory: string, durable: boolean): Promise<PinBook> {
    const path = join(directory, 'pins.journal');
    const book = new PinBook();
    let changes = 0;
    book.#journal = await Journal.open(path, durable, (value) => {
      book.#apply(value as Change);
      changes++;
    });
    if (book.#journal.size > REWRITE_ABOVE && changes > 2 * book.count) {
      await book.#journal.close();
      await Journal.rewrite(path, book.#everything());
      book.#journal = await Journal.open(path, durable, () => undefined);
    }
    return book;
  }

  /** Pins of all tenants together. */
  get count(): number {
    return [...this.#tenants.values()].reduce((sum, pins) => sum + pins.size, 0);
  }

  get(tenant: string, cid: CID): Pin | undefined {
    return this.#tenants.get(tenant)?.get(cid.toString());
  }

  list(tenant: string): Pin[] {
    return [...(this.#tenants.get(tenant)?.values() ?? [])];
  }

  /** Every pin of every tenant: what garbage collection keeps. */
  *all(): Generator<Pin> {
    for (const pins of this.#tenants.values()) yield* pins.values();
  }

  /**
   * Pins `cid`; resolves once that survives a crash. Pinning again turns direct into recursive and, if a name is given,
   * changes the name.
   *
   * @throws CommandError when it is pinned recursively and `mode` is direct.
   */
  async add(tenant: string, cid: CID, mode: PinMode, newName?: string): Promise<void> {
    const existing = this.get(tenant, cid);
    const name = newName ?? existing?.name ?? '';
    if (mode === 'direct' && existing?.mode === 'recursive') {
      throw new CommandError(`${cid.toString()} already pinned recursively`);
    }
    if (existing?.mode === mode && existing.name === name) {
      // Another request may have just made this pin, and not have it on the disk yet.
      await Promise.all(this.#recording);
      return;
    }
    return this.#record([{ tenant, cid: cid.toString(), mode, name }]);
  }

  /** @throws CommandError when it is not pinned, or not in that mode. */
  async remove(tenant: string, cid: CID, recursive: boolean): Promise<void> {
    const existing = this.get(tenant, cid);
    if (existing === undefined) throw new CommandError('not pinned or pinned indirectly');
    if (existing.mode === 'recursive' && !recursive) {
      throw new CommandError(`${cid.toString()} is pinned recursively`);
    }
    return this.#record([{ tenant, cid: cid.toString() }]);
  }

  /** Pins `to` recursively and, with `unpin`, releases `from`, in one step. */
  async move(tenant: string, from: CID, to: CID, unpin: boolean): Promise<void> {
    const existing = this.get(tenant, from);
    if (existing?.mode !== 'recursive') throw new CommandError("'from' cid was not recursively pinned already");
    const changes: Change[] = [{ tenant, cid: to.toString(), mode: 'recursive', name: existing.name }];
    if (unpin && !from.equals(to)) changes.push({ tenant, cid: from.toString() });
    return this.#record(changes);
  }

  async close(): Promise<void> {
    await this.#journal?.close();
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
    this.#set(tenant, cid, mode === undefined ? undefined : { cid: CID.parse(cid), mode, name });
  }

  #set(tenant: string, cid: string, pin: Pin | undefined): void {
    let pins = this.#tenants.get(tenant);
    if (pins === undefined) {
      pins = new Map();
      this.#tenants.set(tenant, pins);
    }
    if (pin === undefined) pins.delete(cid);
    else pins.set(cid, pin);
  }

  *#everything(): Generator<Change> {
    for (const [tenant, pins] of this.#tenants) {
      for (const { cid, mode, name } of pins.values()) yield { tenant, cid: cid.toString(), mode, name };
    }
  }
}
