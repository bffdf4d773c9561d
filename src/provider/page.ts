/** @returns The page's `window`, where wallets announce themselves; undefined outside browsers. */
export const getPage = (): EventTarget | undefined => (globalThis as { readonly window?: EventTarget }).window;
