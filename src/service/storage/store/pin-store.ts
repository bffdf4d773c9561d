import { type CID } from 'multiformats/cid';
import { CommandError } from '../errors';

export type PinMode = 'recursive' | 'direct';
export type Pin = { readonly cid: CID; readonly mode: PinMode; readonly name: string };

/** A pin and whose it is: the ID of a key. */
export type OwnedPin = Pin & { readonly tenant: string };

/** The pins of every tenant; a tenant sees only its own. A change is durable once its promise resolves. */
export type PinStore = {
  get(tenant: string, cid: CID): Promise<Pin | undefined>;
  list(tenant: string): Promise<Pin[]>;
  /** Every pin of every tenant: what garbage collection keeps. */
  all(): Promise<OwnedPin[]>;
  /**
   * Pins `cid`. Pinning again turns direct into recursive and, if a name is given, changes the name.
   *
   * @throws CommandError if it is pinned recursively and `mode` is direct.
   */
  add(tenant: string, cid: CID, mode: PinMode, name?: string): Promise<void>;
  /** @throws CommandError if it is not pinned, or not in that mode. */
  remove(tenant: string, cid: CID, recursive: boolean): Promise<void>;
  /** Pins `to` recursively and, with `unpin`, releases `from`. */
  move(tenant: string, from: CID, to: CID, unpin: boolean): Promise<void>;
  close(): Promise<void>;
};

/** The pin that results from adding over `existing`. @throws CommandError like {@link PinStore.add}. */
export function pinOver(existing: Pin | undefined, cid: CID, mode: PinMode, newName: string | undefined): Pin {
  if (mode === 'direct' && existing?.mode === 'recursive') {
    throw new CommandError(`${cid.toString()} already pinned recursively`);
  }
  return { cid, mode, name: newName ?? existing?.name ?? '' };
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
