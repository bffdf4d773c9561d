import { type Infer } from '../../core/schemas/struct';
import { type UserOperationStruct } from '../../core/schemas/user-operation';
import { type Batch } from './batch';
import { type BatchDeps } from './deps';

/** A user operation that waits for the signatures of other owners. It has that of the account's own key. */
export type Proposed = Pick<Batch, 'id' | 'origin' | 'account' | 'chainId' | 'at'> & {
  readonly operation: Infer<typeof UserOperationStruct>;
};

/**
 * `keystead_getProposals`: what waits for the signatures of other owners, the most recent first. Whoever has it needs
 * those signatures to send it.
 */
export const getProposals = async (
  _params: unknown,
  { batches }: Pick<BatchDeps, 'batches'>,
): Promise<readonly Proposed[]> =>
  (await batches.list())
    .flatMap(({ id, origin, account, chainId, at, status, sent }): Proposed[] =>
      status === 100 && sent.as === 'operation' && sent.proposal !== undefined
        ? [{ id, origin, account, chainId, at, operation: sent.proposal }]
        : [],
    )
    .reverse();
