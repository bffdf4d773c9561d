import type { Exceeded, Shares } from '../admission/admission';
import { limitExceeded, unavailable } from './errors';

/** Bytes of one piece of a request. Each further piece counts as one more request. */
export const PIECE_BYTES = 64 * 1024;

/**
 * Answers of one key that may wait for room, each with a connection to the node: as many as a batch asks for at once.
 */
const WAITING_ANSWERS = 16;

export type KeyShares = {
  /** Requests per second in the long run. */
  keyPerSecond: number;
  /** Requests at once, after a pause. */
  keyBurst: number;
  /** Requests in progress. */
  keyRequests: number;
  /** Open WebSockets. */
  keySockets: number;
  /** Bytes of large bodies in progress, of one key and of all. */
  keyBytes: number;
  allBytes: number;
  /** Bytes of answers that are being made or read, of one key and of all. */
  keyAnswerBytes: number;
  allAnswerBytes: number;
};

/** What a key may hold and do. */
export const sharesOfKeys = (limits: KeyShares): Shares => ({
  requests: limits.keyRequests,
  perSecond: limits.keyPerSecond,
  burst: limits.keyBurst,
  connections: limits.keySockets,
  memory: limits.keyBytes,
  allMemory: limits.allBytes,
  answers: limits.keyAnswerBytes,
  allAnswers: limits.allAnswerBytes,
  waitingAnswers: WAITING_ANSWERS,
});

/** @returns -32005 with status 429; 503 if all keys together hold too much. */
export function refusalOf(exceeded: Exceeded, shares: Shares, seconds: number): Error {
  if (exceeded === 'allMemory') return unavailable('too many large requests in progress, try again', undefined);
  if (exceeded === 'memory') return limitExceeded(`${shares.memory} bytes of large requests of this key in progress`);
  if (exceeded === 'connections') return limitExceeded(`${shares.connections} WebSockets of this key`);
  if (exceeded === 'requests') return limitExceeded(`${shares.requests} requests of this key in progress`);
  if (exceeded === 'creditsPerSecond')
    return limitExceeded(`${shares.creditsPerSecond} credits per second for this key`, seconds);
  return limitExceeded(`${shares.perSecond} requests per second for this key`, seconds);
}
