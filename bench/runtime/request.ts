/** A request to a snap, by the door it goes through. */
export type SnapRequest = {
  readonly door: 'keyring' | 'rpc';
  readonly origin: string;
  readonly method: string;
  readonly params?: unknown;
  /** The address whose signature the answer must be, where that can be recovered. */
  readonly signer?: string;
};
