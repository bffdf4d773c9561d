/** How blocks in the data directory are stored and read. */
export type FileStoreOptions = {
  /** Whether `put` and `commit` wait for the disk; without it a crash of the machine may lose acknowledged blocks. */
  readonly durable: boolean;
  /** Whether `get` compares each block with its hash. */
  readonly hashOnRead: boolean;
  /** Bytes of the disk that uploads leave for the service itself: credits, keys, removal of pins. None if absent. */
  readonly diskReserveBytes?: number;
};

export const DEFAULT_FILE_OPTIONS: Required<FileStoreOptions> = {
  durable: true,
  hashOnRead: true,
  diskReserveBytes: 64 << 20,
};
