import { NodeAnswerError, ServiceRefusedError } from '../../core/errors';

/** Characters of a revert's data; contracts give some hundred. */
const MAX_REVERT = 65_538;

const isRevert = (data: unknown): data is string =>
  typeof data === 'string' && data.length <= MAX_REVERT && /^0x[0-9a-fA-F]*$/u.test(data);

/** What nodes put around the bytes of a revert. */
const revertOf = (data: unknown): string | undefined => {
  if (isRevert(data)) return data;
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : undefined;
  return isRevert(inner) ? inner : undefined;
};

/**
 * A failure as a dapp must see it: a node's refusal with the node's own number and data, from which libraries
 * read why a call reverts. Everything else stays as it is.
 */
export function nodeAnswer(error: unknown): unknown {
  if (!(error instanceof ServiceRefusedError)) return error;
  const { code, data, message } = error.error;
  return new NodeAnswerError(message, Number.isSafeInteger(code) ? code : error.rpcCode, revertOf(data));
}
