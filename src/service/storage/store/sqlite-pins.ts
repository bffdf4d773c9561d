import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import { type Charge } from '../../admission/charge';
import { onceUnlocked, openSqlite, type SqliteDatabase } from '../../runtime/sqlite';
import {
  type Held,
  mustBeRecursive,
  mustBeRemovable,
  mustBeFew,
  mustHold,
  type OwnedPin,
  type Pin,
  type PinSize,
  type PinStore,
  type PinMode,
  pinOver,
} from './pin-store';
import { SharedSync } from './shared-sync';

/** The database, in the folder of the store. */
export const PINS_FILE = 'pins.sqlite';

const SCHEMA = `CREATE TABLE IF NOT EXISTS pins (
  tenant TEXT NOT NULL, cid TEXT NOT NULL, mode TEXT NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
  PRIMARY KEY (tenant, cid)
) WITHOUT ROWID`;

/**
 * What the pins of each tenant hold together, kept by the database, so that no change reads all pins of its tenant.
 * The row that a REPLACE removes runs no trigger of its own, and INSERT OR IGNORE in a trigger of a REPLACE replaces.
 */
const HELD = `CREATE TABLE IF NOT EXISTS held (tenant TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR REPLACE INTO held SELECT tenant, TOTAL(size) FROM pins GROUP BY tenant;
CREATE TRIGGER IF NOT EXISTS pin_replaced BEFORE INSERT ON pins BEGIN
  INSERT INTO held SELECT NEW.tenant, 0 WHERE NOT EXISTS (SELECT 1 FROM held WHERE tenant = NEW.tenant);
  UPDATE held SET bytes = bytes - (SELECT TOTAL(size) FROM pins WHERE tenant = NEW.tenant AND cid = NEW.cid)
    WHERE tenant = NEW.tenant;
END;
CREATE TRIGGER IF NOT EXISTS pin_added AFTER INSERT ON pins BEGIN
  UPDATE held SET bytes = bytes + NEW.size WHERE tenant = NEW.tenant;
END;
CREATE TRIGGER IF NOT EXISTS pin_removed AFTER DELETE ON pins BEGIN
  UPDATE held SET bytes = bytes - OLD.size WHERE tenant = OLD.tenant;
END`;

/** How many pins each tenant has, and likewise kept by the database. */
const COUNTED = `CREATE TABLE IF NOT EXISTS counted (tenant TEXT PRIMARY KEY, pins INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR REPLACE INTO counted SELECT tenant, COUNT(*) FROM pins GROUP BY tenant;
CREATE TRIGGER IF NOT EXISTS pin_replaced_counted BEFORE INSERT ON pins BEGIN
  INSERT INTO counted SELECT NEW.tenant, 0 WHERE NOT EXISTS (SELECT 1 FROM counted WHERE tenant = NEW.tenant);
  UPDATE counted SET pins = pins - (SELECT COUNT(*) FROM pins WHERE tenant = NEW.tenant AND cid = NEW.cid)
    WHERE tenant = NEW.tenant;
END;
CREATE TRIGGER IF NOT EXISTS pin_added_counted AFTER INSERT ON pins BEGIN
  UPDATE counted SET pins = pins + 1 WHERE tenant = NEW.tenant;
END;
CREATE TRIGGER IF NOT EXISTS pin_removed_counted AFTER DELETE ON pins BEGIN
  UPDATE counted SET pins = pins - 1 WHERE tenant = OLD.tenant;
END`;

/** Several processes may do so at once: the first one does, and the others find it done. */
function bringUpToDate(db: SqliteDatabase): void {
  const lacks = (query: string): boolean => db.prepare(query).get() === undefined;
  const lacksTable = (name: string) => lacks(`SELECT 1 FROM sqlite_master WHERE name = '${name}'`);
  // Without a look first, every start would need the lock.
  if (!lacksTable('held') && !lacksTable('counted')) return;
  const change = db.transaction(() => {
    // Pins of an earlier build have no size, and count as 0 bytes.
    if (lacks("SELECT 1 FROM pragma_table_info('pins') WHERE name = 'size'"))
      db.exec('ALTER TABLE pins ADD COLUMN size INTEGER NOT NULL DEFAULT 0');
    if (lacksTable('held')) db.exec(HELD);
    if (lacksTable('counted')) db.exec(COUNTED);
  });
  change.immediate();
}

type Row = {
  readonly tenant: string;
  readonly cid: string;
  readonly mode: PinMode;
  readonly name: string;
  readonly size: number;
};

const pinOf = ({ cid, ...row }: Row): OwnedPin => ({ ...row, cid: CID.parse(cid) });

/** Pins that are read at once, and what one takes besides its name. */
const PAGE = 64;
const ROW_BYTES = 500;

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
  readonly #held;
  readonly #counted;
  readonly #page;
  readonly #pageOfAll;
  #onChange: (tenant: string) => void = () => undefined;

  /** Opens the pins in `directory`. Without `durable`, a crash of the machine may lose the latest changes. */
  constructor(directory: string, durable: boolean) {
    const path = join(directory, PINS_FILE);
    this.#db = openSqlite(path, SCHEMA, bringUpToDate);
    this.#log = `${path}-wal`;
    this.#sync = new SharedSync(durable);
    this.#sync.changed(directory);
    this.#find = this.#db.prepare('SELECT * FROM pins WHERE tenant = ? AND cid = ?');
    this.#set = this.#db.prepare('INSERT OR REPLACE INTO pins (tenant, cid, mode, name, size) VALUES (?, ?, ?, ?, ?)');
    this.#held = this.#db.prepare('SELECT bytes FROM held WHERE tenant = ?');
    this.#counted = this.#db.prepare('SELECT pins FROM counted WHERE tenant = ?');
    this.#page = this.#db.prepare('SELECT * FROM pins WHERE tenant = ? AND cid > ? ORDER BY cid LIMIT ?');
    this.#pageOfAll = this.#db.prepare('SELECT * FROM pins WHERE (tenant, cid) > (?, ?) ORDER BY tenant, cid LIMIT ?');
    this.#unset = this.#db.prepare('DELETE FROM pins WHERE tenant = ? AND cid = ?');
  }

  get(tenant: string, cid: CID): Promise<Pin | undefined> {
    return onceUnlocked(() => this.#pin(tenant, cid));
  }

  async *list(charge: Charge, tenant?: string): AsyncGenerator<OwnedPin> {
    const page = charge.memory.within();
    let after = { tenant: tenant ?? '', cid: '' };
    try {
      for (;;) {
        const rows = await onceUnlocked(
          () =>
            (tenant === undefined
              ? this.#pageOfAll.all(after.tenant, after.cid, PAGE)
              : this.#page.all(tenant, after.cid, PAGE)) as Row[],
        );
        page.charge(rows.reduce((sum, { name }) => sum + ROW_BYTES + 2 * name.length, 0));
        for (const row of rows) {
          const pause = charge.yield();
          if (pause !== undefined) await pause;
          yield pinOf(row);
        }
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) return;
        after = last;
        page.release();
      }
    } finally {
      page.release();
    }
  }

  async held(tenant: string): Promise<Held> {
    const { bytes = 0 } = (this.#held.get(tenant) ?? {}) as { bytes?: number };
    return { pins: this.#countOf(tenant), bytes };
  }

  watch(onChange: (tenant: string) => void): void {
    this.#onChange = onChange;
  }

  async count(): Promise<number> {
    const query = this.#db.prepare('SELECT TOTAL(pins) AS pins FROM counted');
    return (await onceUnlocked(() => query.get() as { pins: number })).pins;
  }

  async add(tenant: string, cid: CID, mode: PinMode, newName?: string, held: PinSize = {}): Promise<void> {
    await onceUnlocked(() => {
      const existing = this.#pin(tenant, cid);
      const { name, size } = pinOver(existing, { cid, mode, name: newName, ...held });
      mustHold(this.#bytesWithout(tenant, existing) + size, held.most);
      if (existing === undefined) mustBeFew(this.#countOf(tenant) + 1, held.mostPins);
      this.#set.run(tenant, cid.toString(), mode, name, size);
    });
    await this.#changed(tenant);
  }

  async remove(tenant: string, cid: CID, recursive: boolean): Promise<void> {
    await onceUnlocked(() => {
      mustBeRemovable(this.#pin(tenant, cid), recursive);
      this.#unset.run(tenant, cid.toString());
    });
    await this.#changed(tenant);
  }

  /** Atomic. */
  async move(
    tenant: string,
    from: CID,
    to: CID,
    unpin: boolean,
    { size = 0, most, mostPins }: PinSize = {},
  ): Promise<void> {
    const change = this.#db.transaction(() => {
      const existing = this.#pin(tenant, from);
      mustBeRecursive(existing);
      const releases = unpin && !from.equals(to);
      const target = this.#pin(tenant, to);
      mustHold(this.#bytesWithout(tenant, target) + size - (releases ? existing.size : 0), most);
      if (target === undefined && !releases) mustBeFew(this.#countOf(tenant) + 1, mostPins);
      this.#set.run(tenant, to.toString(), 'recursive', existing.name, size);
      if (releases) this.#unset.run(tenant, from.toString());
    });
    await onceUnlocked(() => change());
    await this.#changed(tenant);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #pin(tenant: string, cid: CID): Pin | undefined {
    const row = this.#find.get(tenant, cid.toString()) as Row | undefined;
    return row && pinOf(row);
  }

  /** What the pins of a tenant hold without one of them. */
  #bytesWithout(tenant: string, pin: Pin | undefined): number {
    const { bytes } = (this.#held.get(tenant) as { bytes: number } | undefined) ?? { bytes: 0 };
    return bytes - (pin?.size ?? 0);
  }

  #countOf(tenant: string): number {
    return (this.#counted.get(tenant) as { pins: number } | undefined)?.pins ?? 0;
  }

  /** Resolves once the change is durable. */
  #changed(tenant: string): Promise<void> {
    this.#onChange(tenant);
    this.#sync.changed(this.#log);
    return this.#sync.sync();
  }
}
