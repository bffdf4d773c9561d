import { type StorageService } from '../api/service';
import { openStorage } from '../server';
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

/** A command of `keystead storage`; resolves to the exit code. */
export type StorageCommand = (context: StorageCommandContext) => Promise<number>;

/**
 * A command that works on an open store. In the data directory, the service must be stopped.
 *
 * @throws LockedError if a running service has the data directory open.
 */
export const onOpenStorage =
  (run: (service: StorageService, context: StorageCommandContext) => Promise<number>): StorageCommand =>
  async (context) => {
    const { dataDir, shared } = context;
    const { service, close } = await openStorage({ dataDir, ...(shared && { shared }) });
    try {
      return await run(service, context);
    } finally {
      await close();
    }
  };
