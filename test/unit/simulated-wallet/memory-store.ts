import { type Store } from '../../../src/simulated-wallet/store';

/** An in-memory store. It copies values, as a database does. */
export function memoryStore(): Store {
  const values = new Map<string, string>();
  const get = <T>(key: string): T | undefined => {
    const stored = values.get(key);
    return stored === undefined ? undefined : (JSON.parse(stored) as T);
  };
  return {
    get: <T>(key: string) => Promise.resolve(get<T>(key)),
    set: (key, value) => {
      values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
    update: <T>(key: string, change: (before: T | undefined) => T) => {
      const after = change(get<T>(key));
      values.set(key, JSON.stringify(after));
      return Promise.resolve(after);
    },
    clear: () => {
      values.clear();
      return Promise.resolve();
    },
    alone: (work) => work(),
    watchOthers: () => undefined,
  };
}
