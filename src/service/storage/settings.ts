/** How blocks are stored and processed. */
export type StoreSettings = {
  /** Whether a response waits until what it acknowledges survives a crash of the machine. */
  readonly durable: boolean;
  /** Bytes of a segment file in the data directory; below 4 GiB. */
  readonly segmentBytes: number;
  /** Memory for caching small blocks, in bytes. */
  readonly cacheBytes: number;
};

export const DEFAULT_SETTINGS: StoreSettings = {
  durable: true,
  segmentBytes: 256 << 20,
  cacheBytes: 16 << 20,
};
