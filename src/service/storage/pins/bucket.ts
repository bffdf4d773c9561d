import { CID } from 'multiformats/cid';
import { clientFault } from '../errors';
import { type Bucket } from '../s3/bucket';
import { mustBeRecursive, mustBeRemovable, type Pin, type PinBook, type PinMode, pinOver } from './book';

/** So that the name fits in an object's key. */
const MAX_NAME_BYTES = 180;
const ROOT = 'pins/';

/** One object without content for each pin; its key says everything. */
function keyOf(tenant: string, { cid, mode, name }: Pin): string {
  const encoded = Buffer.from(name, 'utf8').toString('base64url');
  if (encoded.length > Math.ceil((MAX_NAME_BYTES * 4) / 3)) {
    throw clientFault(`the name of a pin is longer than the limit of ${MAX_NAME_BYTES} bytes`);
  }
  return `${folderOf(tenant)}${cid.toString()}/${mode}-${encoded}`;
}

/** A tenant's name may hold anything. */
const folderOf = (tenant: string) => `${ROOT}${Buffer.from(tenant, 'utf8').toString('base64url')}/`;

function parseKey(key: string): Pin | undefined {
  const match = /^pins\/[^/]+\/([^/]+)\/(recursive|direct)-([^/]*)$/.exec(key);
  if (match === null) return undefined;
  const [, cid = '', mode, name = ''] = match;
  return {
    cid: CID.parse(cid),
    mode: mode === 'direct' ? 'direct' : 'recursive',
    name: Buffer.from(name, 'base64url').toString('utf8'),
  };
}

/**
 * Pins in an object store, shared by every process that uses the bucket; there is no copy of them elsewhere. A pin that
 * changes exists twice for a moment, never not at all; two changes of one pin at the same time leave one of them, and
 * `recursive` goes before `direct`.
 */
export class BucketPins implements PinBook {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async get(tenant: string, cid: CID): Promise<Pin | undefined> {
    return (await this.#read(`${folderOf(tenant)}${cid.toString()}/`))[0];
  }

  list(tenant: string): Promise<Pin[]> {
    return this.#read(folderOf(tenant));
  }

  all(): Promise<Pin[]> {
    return this.#read(ROOT);
  }

  async add(tenant: string, cid: CID, mode: PinMode, newName?: string): Promise<void> {
    const existing = await this.get(tenant, cid);
    const pin = pinOver(existing, cid, mode, newName);
    const key = keyOf(tenant, pin);
    // Also when it is there: somebody may be removing it.
    await this.#bucket.put(key, new Uint8Array(0));
    if (existing !== undefined && keyOf(tenant, existing) !== key) await this.#bucket.delete(keyOf(tenant, existing));
  }

  async remove(tenant: string, cid: CID, recursive: boolean): Promise<void> {
    mustBeRemovable(await this.get(tenant, cid), recursive);
    for await (const key of this.#bucket.list(`${folderOf(tenant)}${cid.toString()}/`)) await this.#bucket.delete(key);
  }

  /** The new pin first: at no time is there neither. */
  async move(tenant: string, from: CID, to: CID, unpin: boolean): Promise<void> {
    const existing = await this.get(tenant, from);
    mustBeRecursive(existing);
    await this.add(tenant, to, 'recursive', existing.name);
    if (unpin && !from.equals(to)) await this.remove(tenant, from, true);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The pins below a key; of one that is there twice, the recursive one. */
  async #read(prefix: string): Promise<Pin[]> {
    const pins = new Map<string, Pin>();
    for await (const key of this.#bucket.list(prefix)) {
      const pin = parseKey(key);
      const place = key.slice(0, key.lastIndexOf('/'));
      if (pin !== undefined && pins.get(place)?.mode !== 'recursive') pins.set(place, pin);
    }
    return [...pins.values()];
  }
}
