/** The production account snaps that npm carries. */
export const PEERS = ['message-signing', 'solana', 'tron', 'institutional', 'bitcoin'] as const;

export const OURS = 'keystead';
export const FLOOR = 'empty snap';
export const FLOOR_ONE_CALL = 'empty snap, one wallet call';

/** A name that can stand in an address. */
export const pathOf = (name: string): string => name.replace(/[^A-Za-z0-9.-]+/gu, '-');

/** @returns The name, with a number behind it where others have it already. */
export function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.includes(candidate)) return candidate;
  }
}
