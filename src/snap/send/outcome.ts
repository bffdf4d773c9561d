import { type Hex } from '../../core/eth/bytes';
import { type CallsReceipt } from '../../core/schemas/receipt';
import { type ChainServices } from '../network/services';
import { type CallsStatusCode, type Remark } from '../../core/calls/progress';
import { type Batch, isWaiting, type StoredReplacement } from './batch';
import { type Evidence, evidenceOfOperation, evidenceOfTransaction } from './evidence';

/** The status and receipts of a batch, according to its network. */
export type BatchOutcome = {
  readonly status: CallsStatusCode;
  readonly receipts: readonly CallsReceipt[];
  readonly remark?: Remark;
  /** Whether the network, or the bundler, has all that is not included. */
  readonly isSeen?: true;
  /** Whether something can still be included, because its nonce is not used. */
  readonly isOpen: boolean;
};

/** Services may lag behind each other for this long, in milliseconds, before more is asked and said. */
const GRACE = 60_000;

/** The evidence about something, or about what the person replaced it with. */
type FinalEvidence = Evidence | 'cancelled';

/** What one of several with the same nonce shows, before what the others do not. */
const TELLING = ['seen', 'unknown', 'pending', 'replaced'] as const;

/** Looks at what was sent first and at its replacements: only one of them can be included. */
async function evidenceOfAny(
  { hash, replacements = [] }: { readonly hash: Hex; readonly replacements?: readonly StoredReplacement[] },
  look: (hash: Hex) => Promise<Evidence>,
): Promise<FinalEvidence> {
  const found: Evidence[] = [];
  for (const { hash: one, how } of [...replacements.toReversed(), { hash, how: 'speed-up' }]) {
    const evidence = await look(one.toLowerCase() as Hex);
    if (typeof evidence === 'object') return how === 'cancel' ? 'cancelled' : evidence;
    found.push(evidence);
  }
  return TELLING.find((each) => found.includes(each)) ?? 'unknown';
}

function evidenceOf(
  { account, sent }: Batch,
  { node, bundler }: ChainServices,
  isLate: boolean,
): Promise<FinalEvidence[]> {
  const each =
    sent.as === 'operation'
      ? [evidenceOfAny(sent, (hash) => evidenceOfOperation(account, { ...sent, hash }, node, bundler))]
      : sent.items.map((item) =>
          evidenceOfAny(item, (hash) => evidenceOfTransaction(account, { ...item, hash }, node, isLate)),
        );
  return Promise.all(each);
}

function statusOf({ sent }: Batch, each: readonly FinalEvidence[], receipts: readonly CallsReceipt[]): CallsStatusCode {
  if (each.includes('seen') || each.includes('pending') || each.includes('unknown')) return 100;
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
  if (status === 400)
    return { status, receipts, remark: each.includes('cancelled') ? 'cancelled' : 'replaced', isOpen: false };
  const isMissing = each.includes('pending');
  const isUnknown = each.includes('unknown');
  const isSeen = status === 100 && !isMissing && !isUnknown;
  // Within the grace, nodes of one service differ: what one of them shows proves nothing against a block.
  const isOpen = isMissing || (isLate && each.includes('seen'));
  const remark = isUnknown ? 'nonce-used' : isMissing && !isWaiting(batch) ? 'not-found' : undefined;
  return { status, receipts, ...(isSeen && { isSeen }), isOpen, ...(isLate && remark && { remark }) };
}
