import { KeysteadError, StateError } from '../../core/errors';
import { type Batch } from './batch';
import { type SendDeps } from './deps';

/** Tells where calls are about to go, and resolves once that is remembered. */
export type Note<Sent extends Batch['sent']> = (sent: Sent) => Promise<void>;

/** The calls are out, or refused: that this cannot be stored changes nothing of it, and the next look-up tells. */
const asFarAsStored = (change: Promise<void>): Promise<void> =>
  change.catch((error: unknown) => {
    if (!(error instanceof StateError)) throw error;
  });

/**
 * Sends calls, and remembers them as those of the site, to be looked up after a while. They are remembered before they go
 * out, as unclear: whatever cuts the sending short, their hash is known, and nobody sends them a second time for it.
 *
 * @param send - Calls `note` when everything is agreed to and signed. Throws only if nothing went out.
 * @returns Where the calls went.
 * @throws {StateError} If they cannot be remembered; nothing was sent then.
 */
export async function sendNoted<Sent extends Batch['sent']>(
  calls: Omit<Batch, 'at' | 'status' | 'sent'>,
  { batches, scheduleLookUp }: Pick<SendDeps, 'batches' | 'scheduleLookUp'>,
  send: (note: Note<Sent>) => Promise<Sent>,
): Promise<Sent> {
  let isNoted = false;
  const note: Note<Sent> = async (sent) => {
    // Also when storing it fails: it may be stored all the same.
    isNoted = true;
    await batches.add({ ...calls, sent: { ...sent, isUnclear: true }, at: Date.now(), status: 100 });
    await scheduleLookUp(30);
  };
  let sent: Sent;
  try {
    sent = await send(note);
  } catch (error) {
    // On an unexpected error the outcome is unknown, so the batch is kept.
    if (isNoted && error instanceof KeysteadError) await asFarAsStored(batches.remove(calls.origin, calls.id));
    throw error;
  }
  await asFarAsStored(batches.settle(calls.origin, calls.id, sent));
  return sent;
}
