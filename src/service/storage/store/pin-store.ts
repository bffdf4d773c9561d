import { type CID } from 'multiformats/cid';
import { type Charge } from '../../admission/charge';
import { clientFault, CommandError } from '../errors';

export type PinMode = 'recursive' | 'direct';
export type Pin = {
  readonly cid: CID;
  readonly mode: PinMode;
  readonly name: string;
  /** Bytes of the blocks that it holds; 0 if the pin was made before they were counted. */
  readonly size: number;
};

/** What the pins of a tenant hold together. */
export type Held = { readonly pins: number; readonly bytes: number };

/** How much a new pin holds. */
export type PinSize = {
  /** Bytes of the blocks that it holds. */
  readonly size?: number;
  /** Bytes that all pins of the tenant may hold together. */
  readonly most?: number;
  /** How many pins the tenant may have. */
  readonly mostPins?: number;
};

/** A pin and whose it is: the ID of a key. */
export type OwnedPin = Pin & { readonly tenant: string };

/** The pins of every tenant; a tenant sees only its own. A change is durable once its promise resolves. */
export type PinStore = {
  get(tenant: string, cid: CID): Promise<Pin | undefined>;
  /**
   * The pins of a tenant, or those of every tenant, page by page: never all of them are in memory. A pin that is made
   * meanwhile may be left out.
   *
   * @param charge - For a page, and lets others have their turn between two pins.
   */
  list(charge: Charge, tenant?: string): AsyncIterable<OwnedPin>;
  /**
   * What the pins of a tenant hold, with every change that has been made here so far.
   *
   * @returns Undefined if that is not known yet: to be asked again later.
   */
  held(tenant: string): Promise<Held | undefined>;
  /** @param onChange - Called with the tenant after each change that is made here. */
  watch(onChange: (tenant: string) => void): void;
  /** How many pins there are. */
  count(): Promise<number>;
  /**
   * Pins `cid`. Pinning again turns direct into recursive and, if a name is given, changes the name.
   *
   * @throws CommandError if it is pinned recursively and `mode` is direct, or if the pins would hold too much.
   */
  add(tenant: string, cid: CID, mode: PinMode, name?: string, size?: PinSize): Promise<void>;
  /** @throws CommandError if it is not pinned, or not in that mode. */
  remove(tenant: string, cid: CID, recursive: boolean): Promise<void>;
  /** Pins `to` recursively, with the name of `from`, and with `unpin` releases `from`. @throws like `add`. */
  move(tenant: string, from: CID, to: CID, unpin: boolean, size?: PinSize): Promise<void>;
  close(): Promise<void>;
};

/** The pin that results from adding over `existing`. @throws CommandError like {@link PinStore.add}. */
export function pinOver(
  existing: Pin | undefined,
  { cid, mode, name, size = 0 }: Pick<Pin, 'cid' | 'mode'> & { readonly name: string | undefined } & PinSize,
): Pin {
  if (mode === 'direct' && existing?.mode === 'recursive') {
    throw new CommandError(`${cid.toString()} already pinned recursively`);
  }
  return { cid, mode, size, name: name ?? existing?.name ?? '' };
}

/** @throws CommandError (client's fault) if the pins of a tenant would hold more bytes than allowed. */
export function mustHold(bytes: number, most = Infinity): void {
  if (bytes > most)
    throw clientFault(`the pins of this key would hold more than the allowed ${most} bytes (keyPinnedBytes)`);
}

/** @throws CommandError (client's fault) if a tenant would have more pins than allowed. */
export function mustBeFew(pins: number, most = Infinity): void {
  if (pins > most) throw clientFault(`this key would have more than the allowed ${most} pins (keyPins)`);
}

/** @throws CommandError (client's fault) if a name is longer than allowed. */
export function mustBeShort(name: string | undefined, most: number): void {
  if (name !== undefined && Buffer.byteLength(name) > most)
    throw clientFault(`the pin name is longer than the limit of ${most} bytes (pinNameBytes)`);
}

/** @throws CommandError like {@link PinStore.remove}. */
export function mustBeRemovable(existing: Pin | undefined, recursive: boolean): asserts existing is Pin {
  if (existing === undefined) throw new CommandError('not pinned or pinned indirectly');
  if (existing.mode === 'recursive' && !recursive) {
    throw new CommandError(`${existing.cid.toString()} is pinned recursively`);
  }
}

/** @throws CommandError like {@link PinStore.move}. */
export function mustBeRecursive(existing: Pin | undefined): asserts existing is Pin {
  if (existing?.mode !== 'recursive') throw new CommandError("'from' cid was not recursively pinned already");
}
