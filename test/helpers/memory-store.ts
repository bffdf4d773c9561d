import { type Json } from '@metamask/snaps-sdk';

import { type StateStore } from '../../src/snap/platform/state';

/** A store in memory that counts its writes, and can be made to fail. */
export type MemoryStore = StateStore & {
  readonly state: Record<string, Json>;
  writes: number;
  /** Whether the next writes fail. */
  fails: boolean;
};

export function memoryStore(initial: Readonly<Record<string, Json>> = {}): MemoryStore {
  const state = { ...initial };
  const store: MemoryStore = {
    state,
    writes: 0,
    fails: false,
    read: (key) => Promise.resolve(state[key] ?? null),
    write: (key, value) => {
      if (store.fails) return Promise.reject(new Error('no'));
      store.writes += 1;
      state[key] = structuredClone(value);
      return Promise.resolve();
    },
  };
  return store;
}
