/** Replaces the browser's `localStorage` by an empty one, for the tests of what the page keeps. */
export function emptyBrowserStorage(): Map<string, string> {
  const entries = new Map<string, string>();
  Object.assign(globalThis, {
    localStorage: {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, value: string) => void entries.set(key, value),
    },
  });
  return entries;
}
