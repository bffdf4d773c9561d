import { type SigningDeps } from '../accounts/sign-request';
import { type RequestQueue } from '../permissions/request-queue';
import { type SiteDeps } from '../permissions/site';
import { type BatchRepository } from './repository';

/** What looking up sent calls works with. */
export type LookUpDeps = Pick<SigningDeps, 'chains'> & { readonly batches: BatchRepository };

/** What sending calls for a site works with. */
export type SendDeps = SigningDeps &
  SiteDeps & {
    readonly batches: BatchRepository;
    readonly requests: RequestQueue;
    /**
     * Schedules another look-up of the calls that are still pending, so many seconds from now or earlier. Never fails: they are
     * looked up on request, too.
     */
    readonly scheduleLookUp: (seconds: number) => Promise<void>;
  };
