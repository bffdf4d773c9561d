export const OURS = 'keystead';

/*
 * Two floors: an empty snap that makes no wallet call, and one that makes exactly one. Keystead makes one call per
 * signature, since it keeps no key in memory between requests: it reads an imported key from its state, and derives its
 * own keys from the wallet's entropy. These two calls differ in cost, so each has its own floor.
 */
export const FLOOR = 'empty snap';
export const FLOOR_STATE = 'empty snap, one call: state';
export const FLOOR_ENTROPY = 'empty snap, one call: entropy';

export const isFloor = (name: string): boolean => name.startsWith(FLOOR);

/** @returns The empty snap that makes the same wallet call as Keystead for this request. */
export const oneCallFloorOf = (label: string): string => (label.includes('own key') ? FLOOR_ENTROPY : FLOOR_STATE);

/** A name that is valid in a URL path. */
export const pathOf = (name: string): string => name.replace(/[^A-Za-z0-9.-]+/gu, '-');

/** @returns The name, with a number appended if it is already taken. */
export function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
