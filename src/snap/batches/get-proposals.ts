import { type Infer } from '../../core/schemas/struct';
import { type UserOperationStruct } from '../../core/schemas/user-operation';
import { type AskedMessage } from '../signed/messages';
import { type Batch } from './batch';
import { type BatchDeps } from './deps';

/** A user operation that waits for the signatures of other owners. It has that of the account's own key. */
export type Proposed = Pick<Batch, 'id' | 'origin' | 'account' | 'chainId' | 'at'> & {
  readonly operation: Infer<typeof UserOperationStruct>;
};

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
  ...(await batches.list())
    .flatMap(({ id, origin, account, chainId, at, status, sent }): Proposed[] =>
      status === 100 && sent.as === 'operation' && sent.proposal !== undefined
        ? [{ id, origin, account, chainId, at, operation: sent.proposal }]
        : [],
    )
    .reverse(),
  ...(await messages.list()).filter(isWaiting).reverse(),
];
