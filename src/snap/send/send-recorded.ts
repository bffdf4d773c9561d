import { KeysteadError, StateError } from '../../core/errors';
import { toHex } from '../../core/eth/bytes';
import { type AccountEntry } from '../account/account';
import { type Site } from '../sites/site';
import { type Batch } from './batch';
import { type BatchDeps, type SendingDeps } from './deps';

/** @returns An unguessable batch id (EIP-5792): 32 random bytes in hex. */
export const newBatchId = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)));

type Calls = Omit<Batch, 'at' | 'atomic' | 'status' | 'sent'>;

/** Records how calls are about to be sent. Must resolve before they are broadcast. */
export type OnBroadcast<Sent extends Batch['sent']> = (sent: Sent) => Promise<void>;

/** One sending for a site: from which account, and what records it. */
export type Sending = {
  readonly entry: AccountEntry;
  readonly site: Site;
  readonly onBroadcast: OnBroadcast<Batch['sent']>;
  readonly deps: SendingDeps;
};

/** Ignores a failure to store. The calls are already sent or rejected, and the next look-up finds their status. */
const ignoringStateErrors = (change: Promise<void>): Promise<void> =>
  change.catch((error: unknown) => {
    if (!(error instanceof StateError)) throw error;
  });

/**
 * Sends calls, and records them for later status look-ups by the site. They are recorded as unclear before they are
 * broadcast, so if sending is interrupted, their hash is known and they are not sent twice.
 *
 * @param send - Calls `onBroadcast` once everything is approved and signed, before the broadcast. Throws a
 * {@link KeysteadError} only if nothing was broadcast.
 * @returns How the calls were sent.
 * @throws {StateError} If the calls cannot be recorded. Nothing was sent then.
 */
export async function sendRecorded<Sent extends Batch['sent']>(
  calls: Calls,
  { batches, scheduleLookUp, onApproved }: Pick<BatchDeps, 'batches' | 'scheduleLookUp' | 'onApproved'>,
  send: (onBroadcast: OnBroadcast<Sent>) => Promise<Sent>,
): Promise<Sent> {
  let isRecorded = false;
  const onBroadcast: OnBroadcast<Sent> = async (sent) => {
    // Set this even if storing fails, because the batch may be stored anyway.
    isRecorded = true;
    // Several transactions may succeed in part.
    const atomic = sent.as === 'operation' || sent.items.length === 1;
    await batches.add({ ...calls, atomic, sent: { ...sent, isUnclear: true }, at: Date.now(), status: 100 });
    await scheduleLookUp(30);
    onApproved?.();
  };
  let sent: Sent;
  try {
    sent = await send(onBroadcast);
  } catch (error) {
    // On an unexpected error the outcome is unknown, so the batch is kept.
    if (isRecorded && error instanceof KeysteadError) await ignoringStateErrors(batches.remove(calls.origin, calls.id));
    throw error;
  }
  await ignoringStateErrors(batches.settle(calls.origin, calls.id, sent));
  return sent;
}

/** The same, one request of an account at a time, across all sites, so that no two transactions get the same nonce. */
export const sendInTurn = (
  accountId: string,
  calls: Calls,
  deps: Pick<BatchDeps, 'batches' | 'scheduleLookUp' | 'onApproved' | 'requests'>,
  send: (onBroadcast: OnBroadcast<Batch['sent']>) => Promise<Batch['sent']>,
): Promise<Batch['sent']> => deps.requests.runInLine(`account ${accountId}`, () => sendRecorded(calls, deps, send));
