import type { Exceeded, Shares } from '../../admission/admission';
import { clientFault, RequestError } from '../errors';
import { type Limits } from './limits';

/** What a key of the API may hold and do. */
export const sharesOfKeys = (limits: Limits): Shares => ({
  requests: limits.keyRequests,
  waiting: limits.keyWaiting,
  perSecond: bounded(limits.keyPerSecond),
  burst: bounded(limits.keyBurst),
  bytesPerSecond: bounded(limits.keyBytesPerSecond),
  memory: limits.keyMemoryBytes,
  answers: limits.keyAnswerBytes,
  allAnswers: limits.allAnswerBytes,
});

const bounded = (limit: number): number => (limit === Number.MAX_SAFE_INTEGER ? Infinity : limit);

/** @returns 429 with the time to wait, or a fault of the client for memory. */
export function refusalOf(exceeded: Exceeded, shares: Shares, seconds: number): Error {
  const refused = (limit: string) => new RequestError(429, `limit exceeded: ${limit}`, seconds);
  if (exceeded === 'perSecond') return refused(`${shares.perSecond} requests per second of this key`);
  if (exceeded === 'bytesPerSecond') return refused(`${shares.bytesPerSecond} bytes per second of this key`);
  if (exceeded === 'requests')
    return refused(`${shares.requests} requests of this key at once, and ${shares.waiting} waiting`);
  return clientFault(
    `the requests of this client would hold more than the allowed ${shares.memory} bytes of memory at once (keyMemoryBytes)`,
  );
}
