/** A request to a snap, by the handler that receives it. */
export type SnapRequest = {
  readonly handler: 'keyring' | 'rpc';
  readonly origin: string;
  readonly method: string;
  readonly params?: unknown;
  /** The address whose signature the response must be, if it can be recovered. */
  readonly signer?: string;
};
