import { type AskedMessage, type Proposed } from '../../core/methods/results';
import { type BatchDeps } from './deps';

/** Whether a message waits: the person neither refused it nor gave the site its signature. */
const isWaiting = ({ answer }: AskedMessage): boolean => answer === undefined;

/**
 * `keystead_getProposals`: the operations and messages that wait for the signatures of other owners, the most recent of
 * each first. Whoever has one needs those signatures to use it.
 */
export const getProposals = async (
  _params: unknown,
  { batches, messages }: Pick<BatchDeps, 'batches' | 'messages'>,
): Promise<readonly (Proposed | AskedMessage)[]> => [
  ...(await batches.read())
    .flatMap(({ id, origin, account, chainId, at, status, sent }): Proposed[] =>
      status === 100 && sent.as === 'operation' && sent.proposal !== undefined
        ? [{ id, origin, account, chainId, at, operation: sent.proposal }]
        : [],
    )
    .reverse(),
  ...(await messages.read()).filter(isWaiting).reverse(),
];
