import { type StateStore, StoredList } from '../wallet/state';
import { allHashes, type Batch, BatchStruct, sentAs, withReplacements } from './batch';

/**
 * The maximum number of stored batches. The oldest completed ones are dropped first. EIP-5792 asks to keep them for a
 * day.
 */
const MAX_BATCHES = 100;
/** The maximum size of stored receipts, in characters of JSON. Longer receipts are fetched again instead. */
const MAX_RECEIPTS = 16_384;

const small = ({ receipts, ...batch }: Batch): Batch =>
  receipts === undefined || JSON.stringify(receipts).length > MAX_RECEIPTS ? batch : { ...batch, receipts };

function bounded(batches: readonly Batch[]): Batch[] {
  const surplus = batches.length - MAX_BATCHES;
  if (surplus <= 0) return [...batches];
  const oldestFirst = [...batches].sort((a, b) => Number(a.status === 100) - Number(b.status === 100) || a.at - b.at);
  const dropped = new Set(oldestFirst.slice(0, surplus));
  return batches.filter((batch) => !dropped.has(batch));
}

/** The recently sent batches, the most recent last. Unreadable entries are dropped. */
export class BatchRepository extends StoredList<Batch> {
  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    super(store, 'batches', BatchStruct);
  }

  /** @returns A batch of this site. A site cannot find the batches of others. */
  async find(origin: string, id: string): Promise<Batch | undefined> {
    return (await this.read()).find((batch) => batch.origin === origin && batch.id === id);
  }

  async add(batch: Batch): Promise<void> {
    await this.change((batches) => bounded([...batches, small(batch)]));
  }

  /**
   * Stores the new status of a batch, if it changed. While it is pending, how it was sent stays as it is stored: it may
   * have been settled, or replaced, since the status was asked for. What was replaced meanwhile keeps its status until
   * it is looked up again, with the replacement.
   *
   * @returns The batch as it is stored now.
   */
  async replace(batch: Batch): Promise<Batch> {
    const next = small(batch);
    let now = batch;
    await this.change((batches) => {
      const at = batches.findIndex(({ origin, id }) => origin === batch.origin && id === batch.id);
      const before = batches[at];
      if (before === undefined) return batches;
      const sent = withReplacements(before, batches);
      const isReplaced = allHashes({ sent }).some((hash) => sentAs(batch, hash) === undefined);
      const after = next.status === 100 ? { ...next, sent: before.sent } : next;
      now = isReplaced ? before : { ...batch, sent: after.sent };
      return isReplaced || JSON.stringify(before) === JSON.stringify(after) ? batches : batches.with(at, after);
    });
    return now;
  }

  /** Stores how a batch was sent, once that is known. It may have been replaced meanwhile. */
  async settle(origin: string, id: string, sent: Batch['sent']): Promise<void> {
    await this.change((batches) =>
      batches.map((entry) =>
        entry.origin === origin && entry.id === id
          ? { ...entry, sent: withReplacements({ ...entry, sent }, [entry]) }
          : entry,
      ),
    );
  }

  /** Changes how a batch was sent: it was replaced, or that failed. */
  async changeSent(origin: string, id: string, change: (sent: Batch['sent']) => Batch['sent']): Promise<void> {
    await this.change((batches) =>
      batches.map((entry) =>
        entry.origin === origin && entry.id === id ? { ...entry, sent: change(entry.sent) } : entry,
      ),
    );
  }

  /** Removes a batch of which nothing was sent. */
  async remove(origin: string, id: string): Promise<void> {
    await this.change((batches) => batches.filter((entry) => entry.origin !== origin || entry.id !== id));
  }
}
