import { type SigningDeps } from '../accounts/sign-request';
import { type RequestQueue } from '../permissions/request-queue';
import { type SiteDeps } from '../permissions/site';
import { type Consent } from '../platform/dialogs';
import { type BatchRepository } from './repository';

/** The dependencies of status look-ups. */
export type LookUpDeps = Pick<SigningDeps, 'chains'> & { readonly batches: BatchRepository };

/** The dependencies of sending calls for a site. */
export type SendDeps = SigningDeps &
  SiteDeps & {
    readonly batches: BatchRepository;
    readonly consent: Consent;
    readonly requests: RequestQueue;
    /** The origins of companion pages. Empty in a production build. */
    readonly companions: readonly string[];
    /**
     * Schedules the next status look-up of pending calls, at most this many seconds from now. Never fails, because
     * statuses are also looked up on request.
     */
    readonly scheduleLookUp: (seconds: number) => Promise<void>;
  };
