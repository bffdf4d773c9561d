import { type Json } from '@metamask/snaps-sdk';

import { invalidParams } from './rpc-error';
import { type Store } from './store';

type State = Record<string, Json>;

/** Bytes, as in MetaMask. */
const SIZE_LIMIT = 64_000_000;
const FORBIDDEN = ['constructor', '__proto__', 'prototype'];

const isObject = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function keysOf(key: string): readonly string[] {
  const keys = key.split('.');
  if (keys.some((each) => each === ''))
    throw invalidParams('Invalid state key. Each part of the key must be non-empty.');
  if (keys.some((each) => FORBIDDEN.includes(each)))
    throw invalidParams('Invalid params: Key contains forbidden characters.');
  return keys;
}

function read(state: State | null, key: string | undefined): Json {
  if (key === undefined) return state;
  let value: Json = state;
  for (const each of keysOf(key)) {
    if (!isObject(value) || !Object.hasOwn(value, each)) return null;
    value = value[each] ?? null;
  }
  return value;
}

function withValue(state: State | null, key: string | undefined, value: Json): State {
  if (key === undefined) {
    if (!isObject(value)) throw invalidParams('Invalid params: Value must be an object if key is not provided.');
    return value;
  }
  const keys = [...keysOf(key)];
  const last = keys.pop() ?? '';
  const root: State = state ?? {};
  let inner = root;
  for (const each of keys) {
    const next = Object.hasOwn(inner, each) ? (inner[each] ?? {}) : {};
    if (!isObject(next)) throw invalidParams('Invalid params: Cannot overwrite non-object value.');
    inner[each] = next;
    inner = next;
  }
  inner[last] = value;
  return root;
}

/**
 * The state of the snap, with the rules of `snap_getState`, `snap_setState` and `snap_clearState`. The part that
 * MetaMask encrypts is kept separately but NOT encrypted, because this wallet is only simulated.
 */
export class SnapState {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async get(key: string | undefined, encrypted: boolean): Promise<Json> {
    return read((await this.#store.get<State | null>(nameOf(encrypted))) ?? null, key);
  }

  async set(key: string | undefined, value: Json, encrypted: boolean): Promise<void> {
    await this.#store.update<State | null>(nameOf(encrypted), (before = null) => {
      const after = withValue(before, key, value);
      if (JSON.stringify(after).length > SIZE_LIMIT)
        throw invalidParams(`Invalid params: The new state must not exceed ${SIZE_LIMIT / 1_000_000} MB in size.`);
      return after;
    });
  }

  async clear(encrypted: boolean): Promise<void> {
    await this.#store.set(nameOf(encrypted), null);
  }
}

const nameOf = (encrypted: boolean): string => (encrypted ? 'snap-state (simulated: not encrypted)' : 'snap-state');
