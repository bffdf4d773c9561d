import { type Json } from '@metamask/snaps-sdk';

import { BatchStruct } from './door/batches/batch';
import { GrantStruct } from './door/grants';
import { StoredAccountStruct } from './keyring/account';
import { SettingsStruct } from './keyring/repository';
import { type StateStore } from './platform/state';
import { ChainConfigurationStruct } from './wire/chain-configuration';
import { StorageSettingsStruct } from './wire/storage-settings';
import { array, membersOf, type Struct } from './wire/struct';

const of =
  <T>(struct: Struct<T>) =>
  (stored: Json): boolean =>
    stored !== null && !struct.is(stored);

/** Whether a part of the state is damaged, by name; of the parts that somebody would miss. */
const IS_DAMAGED: ReadonlyMap<string, (stored: Json) => boolean> = new Map([
  ['accounts', of(membersOf(StoredAccountStruct))],
  ['settings', of(SettingsStruct)],
  ['chains', of(membersOf(ChainConfigurationStruct))],
  ['grants', of(membersOf(GrantStruct))],
  ['batches', of(array(BatchStruct))],
  ['storage', of(StorageSettingsStruct)],
]);

const MAX_COPIES = 10;

/** @returns The parts of the state of which something cannot be read, by name. */
export async function damagedParts(state: StateStore): Promise<string[]> {
  const all = await Promise.all(
    [...IS_DAMAGED].map(async ([part, isDamaged]) => (isDamaged(await state.read(part)) ? [part] : [])),
  );
  return all.flat();
}

async function keepCopy(state: StateStore, part: string, stored: Json): Promise<void> {
  const kept = await state.read('damaged');
  const copies = Array.isArray(kept) ? kept : [];
  const copy = { part, stored };
  if (copies.some((other) => JSON.stringify(other) === JSON.stringify(copy))) return;
  await state.write('damaged', [...copies, copy].slice(-MAX_COPIES));
}

/**
 * @returns The same store, which keeps a copy of what cannot be read, under `damaged`, before that part of the
 * state is written for the first time.
 */
export function keepingDamaged(state: StateStore): StateStore {
  const lookedAt = new Set<string>();
  const lookAt = async (part: string, isEntry: boolean): Promise<void> => {
    const stored = await state.read(part);
    if (IS_DAMAGED.get(part)?.(stored) !== true) return;
    await keepCopy(state, part, stored);
    // The wallet puts no entry into what is no object.
    if (isEntry && (typeof stored !== 'object' || Array.isArray(stored))) await state.write(part, null);
  };
  return {
    read: state.read,
    write: async (key, value) => {
      const [part = '', ...entry] = key.split('.');
      if (IS_DAMAGED.has(part) && !lookedAt.has(part)) {
        await lookAt(part, entry.length > 0);
        lookedAt.add(part);
      }
      await state.write(key, value);
    },
  };
}
