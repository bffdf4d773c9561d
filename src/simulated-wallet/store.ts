/** The storage of the simulated wallet: one value per key, in the browser's own storage. */
export type Store = {
  readonly get: <T>(key: string) => Promise<T | undefined>;
  readonly set: (key: string, value: unknown) => Promise<void>;
  /** Reads and writes in one transaction, which excludes other tabs. @returns The new value. */
  readonly update: <T>(key: string, change: (before: T | undefined) => T) => Promise<T>;
  readonly clear: () => Promise<void>;
  /** Does one work at a time, in all tabs. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Calls back after another tab has written something. */
  readonly watchOthers: (onWritten: () => void) => void;
};

const TABLE = 'values';

const finished = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The browser denied access to its storage.'));
  });

const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The browser could not save the change.'));
  });

/**
 * Opens the wallet's database (IndexedDB).
 *
 * @throws If the browser has no storage for this page, as in some private windows.
 */
export async function openStore(name: string): Promise<Store> {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE);
  const database = await finished(opening);

  // A channel does not hear itself.
  const channel = new BroadcastChannel(name);
  const writing = async (work: (table: IDBObjectStore) => void): Promise<void> => {
    const transaction = database.transaction(TABLE, 'readwrite');
    work(transaction.objectStore(TABLE));
    await completed(transaction);
    channel.postMessage('written');
  };

  return {
    get: <T>(key: string) =>
      finished(database.transaction(TABLE).objectStore(TABLE).get(key) as IDBRequest<T | undefined>),
    set: (key, value) => writing((table) => table.put(value, key)),
    update: async <T>(key: string, change: (before: T | undefined) => T) => {
      let after: T | undefined;
      let failure: unknown;
      await writing((table) => {
        const reading = table.get(key) as IDBRequest<T | undefined>;
        reading.onsuccess = () => {
          try {
            after = change(reading.result);
            table.put(after, key);
          } catch (error) {
            failure = error;
          }
        };
      });
      if (failure !== undefined) throw failure;
      return after as T;
    },
    clear: () => writing((table) => table.clear()),
    alone: (work) => navigator.locks.request(name, work),
    watchOthers: (onWritten) => channel.addEventListener('message', onWritten),
  };
}
