import { type ChainServices, servicesOf } from '../network/services';
import { inOrder } from '../../clients/in-order';
import { ServiceFailedError, ServiceRefusedError } from '../../core/errors';
import { chainIdOf } from '../../core/schemas/chain';
import { type Batch, withReplacements } from './batch';
import { type BatchDeps } from './deps';
import { latestBlock } from './evidence';
import { type BatchOutcome, outcomeOf } from './outcome';

/** A final status is looked up again for this long, in milliseconds, because blocks may be reorganized. */
const SETTLING = 900_000;

/** @returns Whether the network showed what used the nonce. */
const isProven = (remark: Batch['remark']): boolean => remark === 'replaced' || remark === 'cancelled';

/**
 * @returns Whether a status can no longer change. Receipts that were too large to store are looked up again, and so is
 * what an earlier version took for lost, without evidence.
 */
const isSettled = ({ status, receipts, remark, at, finalSince = at }: Batch): boolean =>
  status !== 100 && (status === 400 ? isProven(remark) : receipts !== undefined) && Date.now() - finalSince > SETTLING;

/**
 * @returns Whether the network contradicts a final status that it no longer shows. A node may forget or lag behind, so
 * that something is not shown contradicts nothing.
 */
async function isContradicted(
  { status, remark, receipts = [] }: Batch,
  { isOpen }: BatchOutcome,
  { node }: ChainServices,
): Promise<boolean> {
  if (!isOpen) return status === 400 && !isProven(remark);
  const last = receipts.map(({ blockNumber }) => BigInt(blockNumber)).reduce((a, b) => (a > b ? a : b), 0n);
  return (await latestBlock(node)) >= last;
}

/** Nobody signs or replaces it any more: what it was about is not kept. */
function concluded(sent: Batch['sent']): Batch['sent'] {
  if (sent.as === 'operation') {
    const { proposal: _proposal, callData: _callData, sponsor: _sponsor, fees: _fees, ...rest } = sent;
    return rest;
  }
  return { ...sent, items: sent.items.map(({ call: _call, fees: _fees, ...item }) => item) };
}

/** @returns The batch with a new outcome. */
function after(
  { remark: _remark, receipts: _receipts, isSeen: wasSeen = false, finalSince, ...batch }: Batch,
  { status, receipts, remark, isSeen }: BatchOutcome,
): Batch {
  const isFinal = status !== 100;
  return {
    ...batch,
    ...(isFinal && { sent: concluded(batch.sent) }),
    status,
    ...(isFinal && { finalSince: status === batch.status ? (finalSince ?? batch.at) : Date.now() }),
    ...(remark && { remark }),
    // Until the network says otherwise, it has what it had.
    ...(!isFinal && (isSeen === true || (wasSeen && remark === undefined)) && { isSeen: true }),
    ...((isFinal || receipts.length > 0) && { receipts: [...receipts] }),
  };
}

async function askNetwork(batch: Batch, { chains }: Pick<BatchDeps, 'chains'>): Promise<Batch> {
  const remarked = (remark: 'no-network' | 'no-answer'): Batch => (batch.status === 100 ? { ...batch, remark } : batch);
  try {
    const configuration = await chains.find(chainIdOf(batch.chainId));
    if (configuration === undefined) return remarked('no-network');
    const services = servicesOf(configuration);
    const [, outcome] = await inOrder([
      services.node.assertChain(chainIdOf(batch.chainId)),
      outcomeOf(batch, services, Date.now()),
    ]);
    if (batch.status !== 100 && outcome.status === 100 && !(await isContradicted(batch, outcome, services)))
      return batch;
    return after(batch, outcome);
  } catch (error) {
    if (!(error instanceof ServiceFailedError || error instanceof ServiceRefusedError)) throw error;
    return remarked('no-answer');
  }
}

/**
 * Looks up the status of a batch, and stores it if it changed. If the network cannot be asked, the batch keeps its
 * status, and its remark says so.
 */
export async function lookUp(batch: Batch, deps: Pick<BatchDeps, 'batches' | 'chains'>): Promise<Batch> {
  if (isSettled(batch)) return batch;
  const sent = withReplacements(batch, await deps.batches.read());
  return deps.batches.replace(await askNetwork({ ...batch, sent }, deps));
}

/** Calls that were sent longer ago than this, in milliseconds, are looked up only on request. */
const TOO_OLD = 2 * 86_400_000;

/**
 * Looks up all calls that are not too old and may still change.
 *
 * @returns When the most recent calls that are still pending were sent, in milliseconds since 1970; undefined if none
 * are.
 */
export async function lookUpPending(deps: Pick<BatchDeps, 'batches' | 'chains'>): Promise<number | undefined> {
  const now = Date.now();
  const young = (await deps.batches.read()).filter(({ at }) => now - at < TOO_OLD);
  const looked = await Promise.all(young.map((batch) => lookUp(batch, deps).catch(() => batch)));
  const sentAt = looked.filter(({ status }) => status === 100).map(({ at }) => at);
  return sentAt.length === 0 ? undefined : Math.max(...sentAt);
}
