/** A request to a snap, by the door it goes through. */
export type SnapRequest = {
  readonly door: 'keyring' | 'rpc';
  readonly origin: string;
  readonly method: string;
  readonly params?: unknown;
};
