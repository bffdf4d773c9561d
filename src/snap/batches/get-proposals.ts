import { type Proposed } from '../../core/methods/results';
import { type BatchDeps } from './deps';

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
