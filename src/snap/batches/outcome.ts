import { type CallsReceipt } from '../../core/schemas/receipt';
import { type ChainServices } from '../networks/services';
import { type Batch, type BatchStatus, type Remark } from './batch';
import { type Evidence, evidenceOfOperation, evidenceOfTransaction } from './evidence';

/** The status and receipts of a batch, according to its network. */
export type BatchOutcome = {
  readonly status: BatchStatus;
  readonly receipts: readonly CallsReceipt[];
  readonly remark?: Remark;
  /** Whether something can still be included, because its nonce is not used. */
  readonly isOpen: boolean;
};

/** Services may lag behind each other for this long, in milliseconds, before more is asked and said. */
const GRACE = 60_000;

function evidenceOf({ account, sent }: Batch, { node, bundler }: ChainServices, isLate: boolean): Promise<Evidence[]> {
  const each =
    sent.as === 'operation'
      ? [evidenceOfOperation(account, sent, node, bundler)]
      : sent.items.map((item) => evidenceOfTransaction(account, item, node, isLate));
  return Promise.all(each);
}

function statusOf({ sent }: Batch, each: readonly Evidence[], receipts: readonly CallsReceipt[]): BatchStatus {
  if (each.includes('pending') || each.includes('unknown')) return 100;
  if (receipts.length === 0) return 400;
  const succeeded = receipts.filter(({ status }) => status === '0x1').length;
  const wanted = each.length + (sent.as === 'operation' ? 0 : sent.unsent);
  if (succeeded === wanted) return 200;
  return succeeded === 0 ? 500 : 600;
}

/**
 * Looks up the outcome of a batch. Nothing is final without evidence of the network: what nobody answers for is
 * pending.
 *
 * @param now - Milliseconds since 1970.
 * @throws {ServiceFailedError} If the node does not respond correctly.
 */
export async function outcomeOf(batch: Batch, services: ChainServices, now: number): Promise<BatchOutcome> {
  const isLate = now - batch.at > GRACE;
  const each = await evidenceOf(batch, services, isLate);
  const receipts = each.filter((one) => typeof one === 'object');
  const status = statusOf(batch, each, receipts);
  const isOpen = each.includes('pending');
  if (status === 400) return { status, receipts, remark: 'replaced', isOpen };
  return { status, receipts, isOpen, ...(isLate && each.includes('unknown') && { remark: 'nonce-used' }) };
}
