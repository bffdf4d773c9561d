import { type Json } from '@metamask/snaps-sdk';

import { type StateStore } from '../../src/snap/wallet/state';

/** A store in memory that counts its writes, and can be made to fail. */
export type MemoryStore = StateStore & {
  readonly state: Record<string, Json>;
  /** The keys that were read and written, in order. */
  readonly calls: string[];
  writes: number;
  /** Whether the next writes fail. */
  fails: boolean;
};

type Members = Record<string, Json>;

const membersOf = (value: Json | undefined): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

export function memoryStore(initial: Readonly<Record<string, Json>> = {}): MemoryStore {
  const state = { ...initial };
  const store: MemoryStore = {
    state,
    calls: [],
    writes: 0,
    fails: false,
    read: (key) => {
      store.calls.push(`read ${key}`);
      return Promise.resolve(key.split('.').reduce<Json>((value, step) => membersOf(value)[step] ?? null, state));
    },
    write: (key, value) => {
      store.calls.push(`write ${key}`);
      if (store.fails) return Promise.reject(new Error('no'));
      store.writes += 1;
      const steps = key.split('.');
      const last = steps.pop()!;
      let parent: Members = state;
      for (const step of steps) {
        const child = (parent[step] ??= {});
        if (membersOf(child) !== child) return Promise.reject(new Error('Cannot overwrite non-object value.'));
        parent = child;
      }
      parent[last] = structuredClone(value);
      return Promise.resolve();
    },
  };
  return store;
}
