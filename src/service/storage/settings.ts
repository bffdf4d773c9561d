/** How blocks in the data directory are stored and read. */
export type StoreSettings = {
  /** Whether a response waits until what it acknowledges survives a crash of the machine. */
  readonly durable: boolean;
  /** Whether each block that is read is compared with its hash. */
  readonly hashOnRead: boolean;
};

export const DEFAULT_SETTINGS: StoreSettings = { durable: true, hashOnRead: true };
