import { type BucketStorage } from '../store/open-bucket';

/** What a storage command receives from the command line. */
export type StorageCommandContext = {
  /** Blocks and pins in a bucket, instead of those in `dataDir`. */
  readonly shared?: BucketStorage;
  readonly dataDir: string;
  /** Whether to print each line as JSON. */
  readonly json: boolean;
  /** Whether to collect even if blocks of pinned DAGs cannot be read. */
  readonly force?: boolean;
  /** Whose pins: the ID of a key; everybody's if absent. */
  readonly tenant?: string;
  /** Which pins; all if empty or absent. */
  readonly cids?: readonly string[];
  /** Prints one line. */
  readonly output: (line: string) => void;
  /** Shows the progress of a long job; called often. */
  readonly progress: (label: string, done: number, total: number) => void;
};

/**
 * A command of `keystead storage`; resolves to the exit code.
 *
 * @throws LockedError if a running service has the data directory open.
 */
export type StorageCommand = (context: StorageCommandContext) => Promise<number>;

const BAR_WIDTH = 30;

/** The progress bar of a storage command. */
export type StorageJobBar = {
  readonly draw: StorageCommandContext['progress'];
  /** Ends the bar's line, if one is open, so that the next output starts on a new line. */
  readonly endLine: () => void;
};

/**
 * A one-line progress bar on a terminal, redrawn at most once per percent; silent elsewhere.
 *
 * @param stream for instance `process.stderr`.
 */
export function storageJobBar(stream: { readonly isTTY?: boolean; write: (text: string) => unknown }): StorageJobBar {
  let drawn = '';
  let onLine = false;
  const endLine = () => {
    if (onLine) stream.write('\n');
    onLine = false;
  };
  const draw = (label: string, done: number, total: number) => {
    if (stream.isTTY !== true || total === 0) return;
    const percent = Math.floor(Math.min(1, done / total) * 100);
    const filled = Math.round((percent / 100) * BAR_WIDTH);
    const bar = `${label} [${'#'.repeat(filled)}${' '.repeat(BAR_WIDTH - filled)}] ${percent}%`;
    if (bar === drawn) return;
    drawn = bar;
    stream.write(`\r${bar}`);
    onLine = true;
    if (percent === 100) endLine();
  };
  return { draw, endLine };
}
