/** The production account snaps that npm carries. */
export const PEERS = ['message-signing', 'solana', 'tron', 'institutional', 'bitcoin'] as const;

export const OURS = 'keystead';
/** An older build of ours, from `--baseline`. */
export const BASELINE = 'keystead, baseline';

/*
 * Two floors: an empty snap that makes no wallet call, and one that makes exactly one. Ours makes one for each signature,
 * since it keeps no key in memory between requests: it reads an imported key from its state, and derives its own keys
 * from the wallet's entropy. Those two calls cost differently, so each has a floor of its own.
 */
export const FLOOR = 'empty snap';
export const FLOOR_STATE = 'empty snap, one call: state';
export const FLOOR_ENTROPY = 'empty snap, one call: entropy';

export const isFloor = (name: string): boolean => name.startsWith(FLOOR);

/** @returns The empty snap that makes the wallet call that this request costs ours. */
export const oneCallFloorOf = (label: string): string => (label.includes('own key') ? FLOOR_ENTROPY : FLOOR_STATE);

/** A name that can stand in an address. */
export const pathOf = (name: string): string => name.replace(/[^A-Za-z0-9.-]+/gu, '-');

/** @returns The name, with a number behind it where others have it already. */
export function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
