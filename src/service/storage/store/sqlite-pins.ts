import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import { cooperativeYield } from '../../runtime/cooperative-yield';
import { openSqlite, type SqliteDatabase } from '../../runtime/sqlite';
import {
  mustBeRecursive,
  mustBeRemovable,
  type OwnedPin,
  type Pin,
  type PinStore,
  type PinMode,
  pinOver,
} from './pin-store';
import { SharedSync } from './shared-sync';

const SCHEMA = `CREATE TABLE IF NOT EXISTS pins (
  tenant TEXT NOT NULL, cid TEXT NOT NULL, mode TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (tenant, cid)
) WITHOUT ROWID`;

type Row = { readonly tenant: string; readonly cid: string; readonly mode: PinMode; readonly name: string };

const pinOf = ({ tenant, cid, mode, name }: Row): OwnedPin => ({ tenant, cid: CID.parse(cid), mode, name });

/** Parsing a CID takes microseconds, and there may be millions, so it yields now and then. */
async function pinsOf(rows: readonly Row[]): Promise<OwnedPin[]> {
  const maybeYield = cooperativeYield();
  const pins: OwnedPin[] = [];
  for (const row of rows) {
    const pause = maybeYield();
    if (pause !== undefined) await pause;
    pins.push(pinOf(row));
  }
  return pins;
}

/**
 * Pins in SQLite. Its write-ahead log is synced here, outside of the event loop and once for all changes that wait;
 * SQLite itself syncs it only before it copies it into the database.
 */
export class SqlitePins implements PinStore {
  readonly #db: SqliteDatabase;
  readonly #log: string;
  readonly #sync: SharedSync;
  readonly #find;
  readonly #set;
  readonly #unset;

  /** Opens the pins in `directory`. Without `durable`, a crash of the machine may lose the latest changes. */
  constructor(directory: string, durable: boolean) {
    const path = join(directory, 'pins.sqlite');
    this.#db = openSqlite(path, SCHEMA);
    this.#log = `${path}-wal`;
    this.#sync = new SharedSync(durable);
    this.#sync.changed(directory);
    this.#find = this.#db.prepare('SELECT * FROM pins WHERE tenant = ? AND cid = ?');
    this.#set = this.#db.prepare('INSERT OR REPLACE INTO pins (tenant, cid, mode, name) VALUES (?, ?, ?, ?)');
    this.#unset = this.#db.prepare('DELETE FROM pins WHERE tenant = ? AND cid = ?');
  }

  get(tenant: string, cid: CID): Promise<Pin | undefined> {
    return Promise.resolve(this.#pin(tenant, cid));
  }

  list(tenant: string): Promise<Pin[]> {
    return pinsOf(this.#db.prepare('SELECT * FROM pins WHERE tenant = ?').all(tenant) as Row[]);
  }

  all(): Promise<OwnedPin[]> {
    return pinsOf(this.#db.prepare('SELECT * FROM pins').all() as Row[]);
  }

  async add(tenant: string, cid: CID, mode: PinMode, newName?: string): Promise<void> {
    const { name } = pinOver(this.#pin(tenant, cid), cid, mode, newName);
    this.#set.run(tenant, cid.toString(), mode, name);
    await this.#durable();
  }

  async remove(tenant: string, cid: CID, recursive: boolean): Promise<void> {
    mustBeRemovable(this.#pin(tenant, cid), recursive);
    this.#unset.run(tenant, cid.toString());
    await this.#durable();
  }

  /** Atomic. */
  async move(tenant: string, from: CID, to: CID, unpin: boolean): Promise<void> {
    const existing = this.#pin(tenant, from);
    mustBeRecursive(existing);
    this.#db.transaction(() => {
      this.#set.run(tenant, to.toString(), 'recursive', existing.name);
      if (unpin && !from.equals(to)) this.#unset.run(tenant, from.toString());
    })();
    await this.#durable();
  }

  /** Sets pins, whatever was pinned before. */
  async import(pins: readonly OwnedPin[]): Promise<void> {
    this.#db.transaction(() => {
      for (const { tenant, cid, mode, name } of pins) this.#set.run(tenant, cid.toString(), mode, name);
    })();
    await this.#durable();
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #pin(tenant: string, cid: CID): Pin | undefined {
    const row = this.#find.get(tenant, cid.toString()) as Row | undefined;
    return row && pinOf(row);
  }

  #durable(): Promise<void> {
    this.#sync.changed(this.#log);
    return this.#sync.sync();
  }
}
