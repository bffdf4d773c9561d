import { mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { lockDirectory } from './blocks/directoryLock';
import { HashPool } from './blocks/hashPool';
import { SegmentStore } from './blocks/segmentStore';
import { type BlockStore } from './blocks/store';
import { GarbageCollector } from './garbage';
import { type Authenticate, OriginPolicy } from './http/access';
import { RequestHandler, type StorageLogger } from './http/handler';
import { loadIdentity } from './identity';
import { DEFAULT_LIMITS, type Limits } from './limits';
import { PinBook } from './pins';
import { type StorageService } from './service';

export type StorageOptions = {
  /** Directory of the store; made when absent. */
  readonly dataDir: string;
  /** Who may use the service; `null`: everybody may, as the tenant `local`. */
  readonly authenticate: Authenticate | null;
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port?: number;
  /** Origins browsers may call from: exact ones, `null` for snaps, `*` for all. The server's own always may. */
  readonly origins?: readonly string[];
  /** Tenants that may use `block/rm`, `repo/gc` and `refs/local`; all when absent. */
  readonly operators?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** Whether an answer waits until what it acknowledges survives a crash. Default true. */
  readonly durable?: boolean;
  /** Bytes of a segment file. */
  readonly segmentBytes?: number;
  /** Bytes of small blocks kept in memory. */
  readonly cacheBytes?: number;
  /** Threads that hash; default: two, or one on a single core. */
  readonly hashWorkers?: number;
  /** A block store to use in place of the embedded one; closed with the service. */
  readonly store?: BlockStore;
  readonly logger?: StorageLogger;
};

export type RunningStorage = {
  readonly url: string;
  readonly port: number;
  /** Finishes what is under way, then closes the store. */
  readonly stop: () => Promise<void>;
};

const DEFAULT_SEGMENT_BYTES = 256 << 20;
const DEFAULT_CACHE_BYTES = 16 << 20;
const SILENT: StorageLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens what the commands work on; `close` gives it back. */
export async function openStorage(
  options: Pick<StorageOptions, 'dataDir' | 'durable' | 'segmentBytes' | 'cacheBytes' | 'store' | 'limits'> & {
    readonly hashWorkers?: number;
    readonly operators?: readonly string[];
    readonly logger?: StorageLogger;
  },
): Promise<{ service: StorageService; close: () => Promise<void> }> {
  const { dataDir, durable = true, operators, logger = SILENT } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockDirectory(join(dataDir, 'lock'));
  const opened: { close: () => Promise<void> }[] = [{ close: unlock }];
  const close = async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
  };
  try {
    const store =
      options.store ??
      (await SegmentStore.open(join(dataDir, 'blocks'), {
        durable,
        segmentBytes: options.segmentBytes ?? DEFAULT_SEGMENT_BYTES,
        cacheBytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
        warn: (message) => {
          logger.warn({}, message);
        },
      }));
    opened.push(store);
    const pins = await PinBook.open(dataDir, durable);
    opened.push(pins);
    const pool = new HashPool(options.hashWorkers);
    opened.push(pool);
    const service: StorageService = {
      store,
      pins,
      pool,
      garbage: new GarbageCollector(store, pins),
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      identity: await loadIdentity(dataDir),
      isOperator: (tenant) => operators?.includes(tenant) ?? true,
    };
    return { service, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Starts the file-storage service.
 *
 * @throws LockedError when another process has the data directory open.
 */
export async function startStorage(options: StorageOptions): Promise<RunningStorage> {
  const { host = '127.0.0.1', port = 5001, logger = SILENT } = options;
  const { service, close } = await openStorage(options);
  const server = createServer({ requestTimeout: service.limits.requestSeconds * 1000, keepAliveTimeout: 30_000 });
  try {
    await listen(server, port, host);
  } catch (error) {
    await close();
    throw error;
  }
  const bound = (server.address() as AddressInfo).port;
  const origins = new OriginPolicy(options.origins ?? [], bound);
  const handler = new RequestHandler(service, origins, options.authenticate, logger);
  server.on('request', (request, response) => {
    void handler.handle(request, response);
  });
  // A server waits with "100 Continue" until it knows that it wants the body.
  server.on('checkContinue', (request, response) => {
    void handler.handle(request, response);
  });
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await handler.idle();
      server.closeAllConnections();
      await closed;
      await close();
    },
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
