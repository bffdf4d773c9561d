/** Limits of a single request. Exceeding any of them causes a clear error, never a crash. */
export type Limits = {
  /** Bytes of a request body. */
  readonly bodyBytes: number;
  /** Parts of a multipart body; also directories created by the paths of an upload. */
  readonly parts: number;
  /** Characters of a path inside an upload, and names in it. */
  readonly pathLength: number;
  readonly pathDepth: number;
  /** Characters of all paths of an upload, which are kept until its directories are built. */
  readonly pathsLength: number;
  /**
   * Bytes of one block put with `allow-big-block` or imported from a CAR file; without the flag it is 1 MiB, as in
   * Kubo.
   */
  readonly blockBytes: number;
  /** Blocks that one `add` stores; their keys are kept in memory until it ends. */
  readonly addBlocks: number;
  /** Blocks of one imported CAR file. */
  readonly carBlocks: number;
  /** Levels below the root, blocks, and their bytes, of a DAG that is walked (pins, CAR files, `cat`, `get`). */
  readonly dagDepth: number;
  readonly dagBlocks: number;
  readonly dagBytes: number;
  /** Links queued during a walk, which is depth-first and keeps the remaining links of every level. */
  readonly dagPending: number;
  /** Entries of a listing that is sent as one value, and thus kept in memory (`ls` and `pin/ls` without `stream`). */
  readonly entries: number;
  /** `arg` values of one request. */
  readonly args: number;
  /** Seconds one request may take. */
  readonly requestSeconds: number;
  /** Concurrent connections. */
  readonly connections: number;
  /** Requests of one key that run at once, and that wait for their turn; further ones are refused. */
  readonly keyRequests: number;
  readonly keyWaiting: number;
  /** Requests of one key in a second in the long run, and at once after a pause. */
  readonly keyPerSecond: number;
  readonly keyBurst: number;
  /** Bytes that one key sends and receives in a second in the long run. */
  readonly keyBytesPerSecond: number;
  /** Bytes of the blocks that the pins of one key hold; those that several pins hold count for each. */
  readonly keyPinnedBytes: number;
  /**
   * Bytes of memory that the requests of one key, or at the gateway of one address, use at once to remember blocks and
   * links, and to keep parts of an upload that are not yet stored.
   */
  readonly keyMemoryBytes: number;
  /** Bytes of answers that are held in memory until they are read, of one key and of all. */
  readonly keyAnswerBytes: number;
  readonly allAnswerBytes: number;
};

/** For limits that only an operator can choose. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 16 * 2 ** 30,
  parts: 100_000,
  pathLength: 4096,
  pathDepth: 128,
  pathsLength: 64 << 20,
  blockBytes: 4 << 20,
  addBlocks: 1_000_000,
  carBlocks: 1_000_000,
  dagDepth: 1024,
  dagBlocks: 10_000_000,
  dagBytes: 2 ** 40,
  dagPending: 250_000,
  entries: 250_000,
  args: 1000,
  requestSeconds: 600,
  connections: 10_000,
  keyRequests: 32,
  keyWaiting: 1000,
  keyPerSecond: UNBOUNDED,
  keyBurst: UNBOUNDED,
  keyBytesPerSecond: UNBOUNDED,
  keyPinnedBytes: UNBOUNDED,
  keyMemoryBytes: 64 << 20,
  keyAnswerBytes: 16 << 20,
  allAnswerBytes: 128 << 20,
};
