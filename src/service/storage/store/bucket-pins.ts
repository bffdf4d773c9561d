import { CID } from 'multiformats/cid';
import { type Charge } from '../../admission/charge';
import { uncharged } from '../../admission/uncharged';
import { clientFault, ObjectStoreError } from '../errors';
import { type Bucket, uniqueName } from './bucket';
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

/** Limited so that the name fits in an object key. */
const MAX_NAME_BYTES = 180;
const ROOT = 'pins/';
/** What an object of a listing takes besides its key. */
const OBJECT_BYTES = 300;
/** How often the pins of a tenant are counted at most: all of them are listed, as other processes change them, too. */
const KNOWN_MS = 60_000;

/** The pins of a tenant, when they were counted, and the changes that it had made here before. */
type Counted = { pins: number; readonly bytes: number; readonly since: number; readonly changes: number | undefined };

/** A stored pin: an empty object whose key holds everything. */
type Stored = { readonly key: string; readonly pin: OwnedPin; readonly made: string };

/** @param made when and by whom: no two changes make the same key, so neither removes what the other has just made. */
function keyOf(tenant: string, { cid, mode, name, size }: Pin, made: string): string {
  const encoded = Buffer.from(name, 'utf8').toString('base64url');
  if (encoded.length > Math.ceil((MAX_NAME_BYTES * 4) / 3)) {
    throw clientFault(`the pin name is longer than the limit of ${MAX_NAME_BYTES} bytes`);
  }
  return `${folderOf(tenant, cid)}${mode}-${encoded}.${made}.${size}`;
}

/** Encoded, because a tenant's name may contain any character. */
const tenantFolder = (tenant: string) => `${ROOT}${Buffer.from(tenant, 'utf8').toString('base64url')}/`;
const folderOf = (tenant: string, cid: CID) => `${tenantFolder(tenant)}${cid.toString()}/`;

function parseKey(key: string): Stored | undefined {
  const match = /^pins\/([^/]+)\/([^/]+)\/(recursive|direct)-([^/.]*)(?:\.([^/.]*))?(?:\.(\d+))?$/.exec(key);
  if (match === null) return undefined;
  const [, tenant = '', cid = '', mode, name = '', made = '', size = '0'] = match;
  return {
    key,
    pin: {
      tenant: Buffer.from(tenant, 'base64url').toString('utf8'),
      cid: CID.parse(cid),
      mode: mode === 'direct' ? 'direct' : 'recursive',
      name: Buffer.from(name, 'base64url').toString('utf8'),
      size: Number(size),
    },
    made,
  };
}

/** Of duplicates, the recursive pin wins, then the later one. */
function takesPrecedence(a: Stored, b: Stored): boolean {
  return a.pin.mode === b.pin.mode ? a.made > b.made : a.pin.mode === 'recursive';
}

/**
 * Pins in an object store, shared by every process that uses the bucket, and stored nowhere else. A change writes the
 * new object before deleting the old one, so a reader may briefly see both. Of two concurrent changes one wins.
 */
export class BucketPins implements PinStore {
  readonly #bucket: Bucket;
  /** Of tenants that have pinned: existing keys. */
  readonly #counts = new Map<string, Counted>();
  /** How many changes a tenant has made here. */
  readonly #changes = new Map<string, number>();
  #onChange: (tenant: string) => void = () => undefined;
  #isCounting = false;
  #isClosed = false;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async get(tenant: string, cid: CID): Promise<Pin | undefined> {
    return (await this.#read(folderOf(tenant, cid)))[0];
  }

  async *list(charge: Charge, tenant?: string): AsyncGenerator<OwnedPin> {
    const page = charge.memory.within();
    try {
      let pins: Stored[] = [];
      for await (const objects of this.#bucket.pages(tenant === undefined ? ROOT : tenantFolder(tenant))) {
        page.release();
        page.charge(objects.reduce((sum, { key }) => sum + OBJECT_BYTES + 2 * key.length, 0));
        for (const { key } of objects) {
          const pause = charge.yield();
          if (pause !== undefined) await pause;
          const stored = parseKey(key);
          if (stored === undefined) continue;
          // Those of one pin follow each other.
          if (pins[0] !== undefined && placeOf(pins[0]) !== placeOf(stored)) {
            yield* deduplicate(pins).map(({ pin }) => pin);
            pins = [];
          }
          pins.push(stored);
        }
      }
      yield* deduplicate(pins).map(({ pin }) => pin);
    } finally {
      page.release();
    }
  }

  /** Counts beside whoever asks, and one tenant at a time. */
  async held(tenant: string): Promise<Held | undefined> {
    const known = this.#counts.get(tenant);
    if (known !== undefined && known.changes === this.#changes.get(tenant))
      return { pins: known.pins, bytes: known.bytes };
    if (this.#isCounting || !this.#isDue(known)) return undefined;
    this.#isCounting = true;
    this.#count(tenant)
      .catch(() => undefined)
      .finally(() => (this.#isCounting = false));
    return undefined;
  }

  watch(onChange: (tenant: string) => void): void {
    this.#onChange = onChange;
  }

  async count(): Promise<number> {
    let pins = 0;
    for await (const pin of this.list(uncharged())) pins += pin === undefined ? 0 : 1;
    return pins;
  }

  async add(tenant: string, cid: CID, mode: PinMode, newName?: string, held: PinSize = {}): Promise<void> {
    const before = await this.#stored(folderOf(tenant, cid));
    const existing = deduplicate(before)[0];
    const pin = pinOver(existing?.pin, { cid, mode, name: newName, ...held });
    await this.#mustHold(tenant, pin, held);
    const isNew = existing === undefined;
    if (isNew) mustBeFew((await this.#countOf(tenant, held.mostPins)) + 1, held.mostPins);
    if (existing !== undefined && keyOf(tenant, pin, existing.made) === existing.key) {
      // Written although it exists, because another process may be deleting it.
      await this.#bucket.put(existing.key, new Uint8Array(0));
      return;
    }
    await this.#bucket.put(keyOf(tenant, pin, uniqueName()), new Uint8Array(0));
    this.#hasChanged(tenant, isNew ? 1 : 0);
    for (const { key } of before) await this.#bucket.delete(key);
  }

  async remove(tenant: string, cid: CID, recursive: boolean): Promise<void> {
    mustBeRemovable(await this.get(tenant, cid), recursive);
    for await (const key of this.#bucket.list(folderOf(tenant, cid))) await this.#bucket.delete(key);
    this.#hasChanged(tenant, -1);
  }

  /** Adds the new pin first, so that one of the two always exists. */
  async move(
    tenant: string,
    from: CID,
    to: CID,
    unpin: boolean,
    { size = 0, most = Infinity, mostPins = Infinity }: PinSize = {},
  ): Promise<void> {
    const existing = await this.get(tenant, from);
    mustBeRecursive(existing);
    const released = unpin && !from.equals(to) ? existing.size : 0;
    await this.add(tenant, to, 'recursive', existing.name, {
      size,
      most: most + released,
      // For a moment there are both.
      mostPins: mostPins + (unpin ? 1 : 0),
    });
    if (unpin && !from.equals(to)) await this.remove(tenant, from, true);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  /** Not exact: several processes, and several requests, may add at once. */
  async #mustHold(tenant: string, { cid, size }: Pin, { most }: PinSize): Promise<void> {
    if (most === undefined || most >= Number.MAX_SAFE_INTEGER) return;
    let bytes = size;
    for await (const pin of this.list(uncharged(), tenant)) if (!pin.cid.equals(cid)) bytes += pin.size;
    mustHold(bytes, most);
  }

  /** Counted by a listing once in a while, and by this process in between. */
  async #countOf(tenant: string, most = Infinity): Promise<number> {
    if (most >= Number.MAX_SAFE_INTEGER) return 0;
    const known = this.#counts.get(tenant);
    if (known !== undefined && !this.#isDue(known)) return known.pins;
    return (await this.#count(tenant)).pins;
  }

  #isDue(known: { readonly since: number } | undefined): boolean {
    return known === undefined || performance.now() - known.since >= KNOWN_MS;
  }

  async #count(tenant: string): Promise<Held> {
    const counted = { pins: 0, bytes: 0, changes: this.#changes.get(tenant) };
    for await (const { size } of this.list(uncharged(), tenant)) {
      if (this.#isClosed) throw new ObjectStoreError('the pins are closed');
      counted.pins += 1;
      counted.bytes += size;
    }
    this.#counts.set(tenant, { ...counted, since: performance.now() });
    return counted;
  }

  #hasChanged(tenant: string, pins: number): void {
    const known = this.#counts.get(tenant);
    if (known !== undefined) known.pins += pins;
    this.#changes.set(tenant, (this.#changes.get(tenant) ?? 0) + 1);
    this.#onChange(tenant);
  }

  async #read(prefix: string): Promise<OwnedPin[]> {
    return deduplicate(await this.#stored(prefix)).map(({ pin }) => pin);
  }

  async #stored(prefix: string): Promise<Stored[]> {
    const found: Stored[] = [];
    for await (const key of this.#bucket.list(prefix)) {
      const stored = parseKey(key);
      if (stored !== undefined) found.push(stored);
    }
    return found;
  }
}

/** The folder of a pin: its tenant and CID. */
const placeOf = ({ key }: Stored): string => key.slice(0, key.lastIndexOf('/'));

/** Keeps one entry per pin. */
function deduplicate(stored: readonly Stored[]): Stored[] {
  const pins = new Map<string, Stored>();
  for (const each of stored) {
    const place = placeOf(each);
    const other = pins.get(place);
    if (other === undefined || takesPrecedence(each, other)) pins.set(place, each);
  }
  return [...pins.values()];
}
