import { type RequestQueue } from '../permissions/request-queue';
import { type SiteDeps } from '../permissions/site';
import { type BatchRepository } from './repository';

/** The dependencies of sending calls, and of looking up what became of them. */
export type BatchDeps = SiteDeps & {
  readonly batches: BatchRepository;
  readonly requests: RequestQueue;
  /** The origins of companion pages. Empty in a production build. */
  readonly companions: readonly string[];
  /**
   * Schedules the next status look-up of pending calls, at most this many seconds from now. Never fails, because
   * statuses are also looked up on request.
   */
  readonly scheduleLookUp: (seconds: number) => Promise<void>;
};
