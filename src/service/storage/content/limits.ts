/** For limits that only an operator can choose. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** The limits of a single request. Exceeding any of them causes a clear error, never a crash. */
export const DEFAULT_LIMITS = {
  /** Bytes of a request body. */
  bodyBytes: 16 * 2 ** 30,
  /** Parts of a multipart body; also directories created by the paths of an upload. */
  parts: 100_000,
  /** Characters of a path inside an upload, and names in it. */
  pathLength: 4096,
  pathDepth: 128,
  /** Characters of all paths of an upload, which are kept until its directories are built. */
  pathsLength: 64 << 20,
  /**
   * Bytes of one block put with `allow-big-block` or imported from a CAR file; without the flag it is 2 MiB, as in
   * Kubo since 0.40.
   */
  blockBytes: 4 << 20,
  /** Blocks that one `add` stores; their keys are kept in memory until it ends. */
  addBlocks: 1_000_000,
  /** Blocks of one imported CAR file. */
  carBlocks: 1_000_000,
  /** Levels below the root, blocks, and their bytes, of a DAG that is walked (pins, CAR files, `cat`, `get`). */
  dagDepth: 1024,
  dagBlocks: 10_000_000,
  dagBytes: 2 ** 40,
  /** Links queued during a walk, which is depth-first and keeps the remaining links of every level. */
  dagPending: 250_000,
  /** Entries of a listing that is sent as one value, and thus kept in memory (`ls` and `pin/ls` without `stream`). */
  entries: 250_000,
  /** `arg` values of one request. */
  args: 1000,
  /** Seconds one request may take. */
  requestSeconds: 600,
  /** Concurrent connections. */
  connections: 10_000,
  /** Requests of one key that run at once, and that wait for their turn; further ones are refused. */
  keyRequests: 32,
  keyWaiting: 1000,
  /** Requests of one key in a second in the long run, and at once after a pause. */
  keyPerSecond: UNBOUNDED,
  keyBurst: UNBOUNDED,
  /** Bytes that one key sends and receives in a second in the long run. */
  keyBytesPerSecond: UNBOUNDED,
  /** Bytes of the blocks that the pins of one key hold; those that several pins hold count for each. */
  keyPinnedBytes: UNBOUNDED,
  /** Pins of one key, and bytes of the name of one; as in Kubo. With a bucket, a name has at most 180. */
  keyPins: 250_000,
  pinNameBytes: 255,
  /**
   * Bytes of memory that the requests of one key, or at the gateway of one address, use at once to remember blocks and
   * links, and to keep parts of an upload that are not yet stored.
   */
  keyMemoryBytes: 64 << 20,
  /** Bytes of answers that are held in memory until they are read, of one key and of all. */
  keyAnswerBytes: 16 << 20,
  allAnswerBytes: 128 << 20,
};

export type Limits = { readonly [Name in keyof typeof DEFAULT_LIMITS]: number };
