import { type SigningDeps } from '../account/deps';
import { type RequestQueue } from '../sites/request-queue';
import { type Consent } from '../wallet/dialogs';
import { type SiteDeps } from '../sites/site';
import { type BatchRepository } from './repository';

/** The dependencies of sending calls, and of looking up what became of them. */
export type BatchDeps = SiteDeps & {
  readonly batches: BatchRepository;
  readonly requests: RequestQueue;
  /** Asks the user at once, whatever other dialogs are open. */
  readonly consentAtOnce: Consent;
  /** Called when the user has approved everything: the next request of the site may begin. */
  readonly onApproved?: () => void;
  /**
   * Schedules the next status look-up of pending calls, at most this many seconds from now. Never fails, because
   * statuses are also looked up on request.
   */
  readonly scheduleLookUp: (seconds: number) => Promise<void>;
};

/** What sending for a site takes: a signature, the consent of the user for that site, and the record of the calls. */
export type SendingDeps = SigningDeps &
  Pick<BatchDeps, 'batches' | 'companions' | 'consent' | 'onApproved' | 'permissions' | 'requests' | 'scheduleLookUp'>;
