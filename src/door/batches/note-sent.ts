import { StateError } from '../../errors';
import { type Visit } from '../deps';
import { type Batch } from './batch';

/**
 * Remembers calls that were sent just now, and has them looked up after a while. That they cannot be stored is no
 * failure: they are out, and who heard of a failure would send them again.
 */
export async function noteSent(
  sent: Omit<Batch, 'origin' | 'at' | 'status'>,
  { batches, lookAgainLater, origin }: Pick<Visit, 'batches' | 'lookAgainLater' | 'origin'>,
): Promise<void> {
  try {
    await batches.add({ ...sent, origin, at: Date.now(), status: 100 });
  } catch (error) {
    if (error instanceof StateError) return;
    throw error;
  }
  await lookAgainLater(30);
}
