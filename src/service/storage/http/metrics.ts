import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Collected } from '../content/garbage';

/** The listeners of storage. */
type Listener = 'api' | 'gateway';

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120, 600];

/** How long nothing is measured after a measurement, as a multiple of the time that it took, and at least. */
const PAUSE = 100;
const LEAST_PAUSE_MS = 10_000;

/** What the store holds. */
type StoreSize = { readonly blocks: number; readonly blockBytes: number; readonly pins: number };

/** The metrics of storage. Labels never contain keys, and only existing commands. */
export class StorageMetrics {
  readonly #registry: Registry;
  readonly #requests;
  readonly #seconds;
  readonly #received;
  readonly #sent;
  readonly #errors;
  readonly #collections;
  readonly #collectionSeconds;
  readonly #collectedBlocks;

  constructor(registry: Registry) {
    const options = <Label extends string>(name: string, help: string, labelNames: Label[]) => ({
      name: `keystead_storage_${name}`,
      help,
      labelNames,
      registers: [registry],
    });
    this.#registry = registry;
    this.#requests = new Counter(
      options('requests_total', 'Requests answered, by HTTP status; "gone" if the client left before.', [
        'listener',
        'command',
        'status',
      ]),
    );
    this.#seconds = new Histogram({
      ...options('request_seconds', 'Time until a request was answered.', ['listener', 'command']),
      buckets: BUCKETS,
    });
    this.#received = new Counter(options('received_bytes_total', 'Bytes of request bodies.', ['listener']));
    this.#sent = new Counter(options('sent_bytes_total', 'Bytes of answers, with their headers.', ['listener']));
    this.#errors = new Counter(
      options('errors_total', 'Failures of disk, bucket or service (internal), and answers that broke off (broken).', [
        'listener',
        'kind',
      ]),
    );
    this.#collections = new Counter(
      options('collections_total', 'Garbage collections, by outcome: done, stopped or failed.', ['outcome']),
    );
    // A counter that begins with its first failure would hide it from Prometheus, which compares two values.
    for (const kind of ['internal', 'broken']) this.#errors.inc({ listener: 'api', kind }, 0);
    for (const outcome of ['done', 'stopped', 'failed']) this.#collections.inc({ outcome }, 0);
    this.#collectionSeconds = new Counter(options('collection_seconds_total', 'Time of garbage collections.', []));
    this.#collectedBlocks = new Counter(options('collected_blocks_total', 'Blocks that collections removed.', []));
  }

  /**
   * Counts a request from its beginning until its answer was read.
   *
   * @param command - One of a fixed set of names.
   * @returns To be called for each piece of the body.
   */
  meter(
    listener: Listener,
    command: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): { readonly received: (bytes: number) => void } {
    const began = performance.now();
    const { socket } = request;
    const before = socket.bytesWritten;
    response.once('close', () => {
      const status = response.headersSent ? String(response.statusCode) : 'gone';
      this.#requests.inc({ listener, command, status });
      this.#seconds.observe({ listener, command }, (performance.now() - began) / 1000);
      this.#sent.inc({ listener }, socket.bytesWritten - before);
    });
    return {
      received: (bytes) => {
        this.#received.inc({ listener }, bytes);
      },
    };
  }

  /**
   * Counts an error.
   *
   * @param kind - `internal` if disk, bucket or service failed; `broken` if an answer ended after it had begun.
   */
  erred(listener: Listener, kind: 'internal' | 'broken'): void {
    this.#errors.inc({ listener, kind });
  }

  readonly collected = ({ outcome, milliseconds, blocks }: Collected): void => {
    this.#collections.inc({ outcome });
    this.#collectionSeconds.inc(milliseconds / 1000);
    this.#collectedBlocks.inc(blocks);
  };

  /**
   * Adds what the store holds. It is measured beside the scrapes: in a bucket, every object is listed for it.
   *
   * @param measure - Measures it now.
   */
  meterStore(measure: () => Promise<StoreSize>): void {
    let last: StoreSize | undefined;
    let due = 0;
    const refresh = async () => {
      const began = performance.now();
      due = Infinity;
      last = await measure().catch(() => last);
      const ended = performance.now();
      due = ended + Math.max(LEAST_PAUSE_MS, PAUSE * (ended - began));
    };
    const gauge = (name: string, help: string, valueOf: (size: StoreSize) => number) =>
      new Gauge({
        name: `keystead_storage_${name}`,
        help,
        registers: [this.#registry],
        collect() {
          if (performance.now() >= due) void refresh();
          this.set(last === undefined ? NaN : valueOf(last));
        },
      });
    gauge('blocks', 'Blocks in the store.', ({ blocks }) => blocks);
    gauge('block_bytes', 'Bytes of the blocks in the store.', ({ blockBytes }) => blockBytes);
    gauge('pins', 'Pins of all keys.', ({ pins }) => pins);
  }
}
