/** The page: where wallets announce themselves, and what gains and loses the focus. Absent outside browsers. */
export const pageOf = (): EventTarget | undefined => (globalThis as { readonly window?: EventTarget }).window;
