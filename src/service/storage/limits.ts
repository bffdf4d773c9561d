/** Bounds on what one request may ask for. Every one of them ends in a clear error, none in a crash. */
export type Limits = {
  /** Bytes of a request body. */
  readonly bodyBytes: number;
  /** Parts of a multipart body, directories included. */
  readonly parts: number;
  /** Characters of a path inside an upload, and names in it. */
  readonly pathLength: number;
  readonly pathDepth: number;
  /** Bytes of one block put with `allow-big-block` or brought by a CAR file; without the flag it is 1 MiB, as in Kubo. */
  readonly blockBytes: number;
  /** Blocks of one imported CAR file. */
  readonly carBlocks: number;
  /** Levels below the root, and different blocks, of a DAG that is walked (pin, export, stat, refs). */
  readonly dagDepth: number;
  readonly dagBlocks: number;
  /** `arg` values of one request. */
  readonly args: number;
  /** Seconds one request may take. */
  readonly requestSeconds: number;
};

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 16 * 2 ** 30,
  parts: 100_000,
  pathLength: 4096,
  pathDepth: 128,
  blockBytes: 4 << 20,
  carBlocks: 1_000_000,
  dagDepth: 1024,
  dagBlocks: 10_000_000,
  args: 1000,
  requestSeconds: 600,
};
