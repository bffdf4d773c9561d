/** How blocks are kept, and worked with. */
export type StoreSettings = {
  /** Whether an answer waits until what it acknowledges survives a crash of the machine. */
  readonly durable: boolean;
  /** Bytes of a segment file in the data directory; below 4 GiB. */
  readonly segmentBytes: number;
  /** Bytes of small blocks kept in memory. */
  readonly cacheBytes: number;
  /** Blocks hashed at once on threads of their own; 0 hashes on the one that answers. */
  readonly hashThreads: number;
};

export const DEFAULT_SETTINGS: StoreSettings = {
  durable: true,
  segmentBytes: 256 << 20,
  cacheBytes: 16 << 20,
  // Of the four threads that Node has for such work, one stays free for the disk.
  hashThreads: 3,
};
