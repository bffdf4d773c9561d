import { useEffect, useState } from 'preact/hooks';

/** A value that the browser keeps for this page. Everything that shows it renders again when it changes. */
export type Stored<T> = {
  readonly read: () => T;
  /** @throws If the browser has no room, or does not let the page keep anything. */
  readonly write: (value: T) => void;
  readonly use: () => T;
};

/**
 * @param key - Its name in `localStorage`.
 * @param decode - Reads what is stored; undefined for what is not readable, which then counts as absent.
 */
export function stored<T>(key: string, decode: (json: unknown) => T | undefined, absent: T): Stored<T> {
  const listeners = new Set<() => void>();
  let cached: { readonly text: string | null; readonly value: T } | undefined;
  const read = (): T => {
    const text = localStorage.getItem(key);
    // The same value for the same text, so that it can be a key of an effect.
    if (cached === undefined || cached.text !== text) cached = { text, value: decoded(text) };
    return cached.value;
  };
  const decoded = (text: string | null): T => {
    if (text === null) return absent;
    try {
      return decode(JSON.parse(text)) ?? absent;
    } catch {
      return absent;
    }
  };
  return {
    read,
    write: (value) => {
      try {
        localStorage.setItem(key, JSON.stringify(value));
      } catch {
        throw new Error('The browser did not keep this: it has no room left for this page, or does not allow it.');
      }
      for (const listener of listeners) listener();
    },
    use: () => {
      const [value, setValue] = useState(read);
      useEffect(() => {
        const follow = (): void => setValue(() => read());
        listeners.add(follow);
        // Another tab wrote it.
        window.addEventListener('storage', follow);
        follow();
        return () => {
          listeners.delete(follow);
          window.removeEventListener('storage', follow);
        };
      }, []);
      return value;
    },
  };
}

/** Decodes a list; entries that are not sound are left out. */
export const listOf =
  <T>(isSound: (entry: unknown) => entry is T) =>
  (json: unknown): readonly T[] | undefined =>
    Array.isArray(json) ? json.filter(isSound) : undefined;
