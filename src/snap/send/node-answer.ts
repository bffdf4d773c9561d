import { NodeAnswerError, ServiceRefusedError } from '../../core/errors';
import { OVER_CAP_REMEDY, saysOverCap } from '../../core/eth/gas';

/** The maximum number of characters of revert data. Contracts return a few hundred. */
const MAX_REVERT = 65_538;

const isRevert = (data: unknown): data is string =>
  typeof data === 'string' && data.length <= MAX_REVERT && /^0x[0-9a-fA-F]*$/u.test(data);

/** Finds the revert data, which some nodes wrap in an object. */
const revertOf = (data: unknown): string | undefined => {
  if (isRevert(data)) return data;
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : undefined;
  return isRevert(inner) ? inner : undefined;
};

/**
 * Converts a node's error response for a dapp. It keeps the node's own code and data, from which libraries decode the
 * revert reason. Other errors are returned unchanged.
 *
 * @param introduction - Precedes the node's message; replaced by what to do if the transaction needs too much gas.
 */
export function nodeAnswer(error: unknown, introduction = ''): unknown {
  if (!(error instanceof ServiceRefusedError)) return error;
  const { code, data, message } = error.error;
  const words = (saysOverCap(message) ? `${OVER_CAP_REMEDY} The node says: ` : introduction) + message;
  return new NodeAnswerError(words, Number.isSafeInteger(code) ? code : error.rpcCode, revertOf(data));
}
