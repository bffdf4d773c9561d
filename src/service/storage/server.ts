import { type Server } from 'node:http';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { makeDirectory, probeWrite } from '../runtime/directory';
import type { RequestIds } from '../runtime/request-id';
import { meterConnections } from '../runtime/connection-metrics';
import {
  closeAfterResponses,
  countConnections,
  createListener,
  listen,
  oversee,
  type TlsFiles,
} from '../admission/listener';
import { mustStillExist, noteHeld } from '../runtime/held-stores';
import { problemIf, watchDependencies } from '../runtime/dependencies';
import { lockForProcess } from '../runtime/process-lock';
import { DEFAULT_FILE_OPTIONS, type FileStoreOptions } from './store/file-options';
import { FileStore } from './store/file-store';
import { type BlockStore } from './store/block-store';
import { messageForClients, messageOf } from './errors';
import { UseRecorder, type UseStore } from '../keys/use';
import { type Collected, GarbageCollector } from './content/garbage';
import { type GatewaySettings } from './gateway/config';
import { type RunningGateway, startGateway } from './gateway/server';
import { type Authenticate, OriginPolicy } from './api/access';
import { RequestHandler } from './api/handler';
import { type StorageLogger } from './http/logger';
import { StorageMetrics } from './http/metrics';
import { MAX_PIPELINED } from './http/pipelining';
import { stopServing } from './http/stop-serving';
import { loadIdentity } from './api/identity';
import { DEFAULT_LIMITS, type Limits } from './content/limits';
import { type PinStore } from './store/pin-store';
import { PINS_FILE, SqlitePins } from './store/sqlite-pins';
import { type StorageService } from './api/service';

export type StorageOptions = {
  /** Directory of the store; created if absent. */
  readonly dataDir: string;
  /** Authenticates callers; `null` allows everyone, as the tenant `local`. */
  readonly authenticate: Authenticate | null;
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port?: number;
  /** If set, the service speaks TLS. */
  readonly tls?: TlsFiles;
  /**
   * Origins that browsers may call from: exact ones, `null` for snaps, `*` for all. The server's own are always
   * allowed.
   */
  readonly origins?: readonly string[];
  /** Tenants that may use `block/rm`, `repo/gc` and `repo/stat`, or a function that decides; everyone if absent. */
  readonly operators?: readonly string[] | StorageService['isOperator'];
  readonly limits?: Partial<Limits>;
  /** Blocks and pins shared with other processes, instead of the embedded ones; closed with the service. */
  readonly shared?: { readonly store: BlockStore; readonly pins: PinStore };
  /** If set, a read-only gateway without keys listens there, too. */
  readonly gateway?: GatewaySettings;
  readonly logger?: StorageLogger;
  /** Counts what keys use; closed with the service. */
  readonly use?: UseStore;
  /** Gives each request its ID; a new one if absent. */
  readonly requestId?: RequestIds;
  /** Where metrics are registered. */
  readonly metrics?: Registry;
} & Partial<FileStoreOptions>;

export type RunningStorage = {
  readonly url: string;
  readonly port: number;
  readonly gateway?: { readonly url: string; readonly port: number };
  /** Why the service cannot work; empty if it can. */
  readonly problems: () => Promise<string[]>;
  /** Goes on serving, and closes each connection after its response. */
  readonly leave: () => void;
  /** Finishes the requests in progress, then closes the store. */
  readonly stop: () => Promise<void>;
};

/** How long a stop keeps connections for a request on its way, if clients were sent elsewhere before. */
const GRACE_MS = 1_000;

const SILENT: StorageLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens what the commands work on; `close` releases it. */
export async function openStorage(
  options: Pick<StorageOptions, keyof FileStoreOptions | 'dataDir' | 'shared' | 'limits' | 'operators'>,
  onCollected?: (collected: Collected) => void,
): Promise<{ service: StorageService; close: () => Promise<void> }> {
  const { dataDir, operators } = options;
  const { durable, hashOnRead, diskReserveBytes } = { ...DEFAULT_FILE_OPTIONS, ...options };
  makeDirectory(dataDir);
  const opened: { close: () => Promise<void> }[] = options.shared ? [options.shared.store, options.shared.pins] : [];
  const close = async () => {
    const failures: unknown[] = [];
    for (const each of opened.splice(0).reverse()) {
      await each.close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    const embedded = async () => {
      const lock = join(dataDir, 'lock.sqlite');
      const unlock = lockForProcess(lock, (holder) => `the data directory is in use by ${holder} (${lock})`);
      opened.push({
        close: () => {
          unlock();
          return Promise.resolve();
        },
      });
      const files = await FileStore.open(join(dataDir, 'blocks'), { durable, hashOnRead, diskReserveBytes });
      opened.push(files);
      // Without its pins, a collection would remove every block.
      mustStillExist(dataDir, PINS_FILE);
      const sqlite = new SqlitePins(dataDir, durable);
      opened.push(sqlite);
      await noteHeld(dataDir, PINS_FILE);
      return { store: files, pins: sqlite };
    };
    const { store, pins } = options.shared ?? (await embedded());
    const service: StorageService = {
      store,
      pins,
      garbage: new GarbageCollector(store, pins, onCollected),
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      identity: await loadIdentity(dataDir),
      isOperator: typeof operators === 'function' ? operators : (tenant) => operators?.includes(tenant) ?? true,
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
 * @throws LockedError if another process has the data directory open.
 */
export async function startStorage(options: StorageOptions): Promise<RunningStorage> {
  const { host = '127.0.0.1', port = 5001, logger = SILENT } = options;
  const registry = options.metrics ?? new Registry();
  const metrics = new StorageMetrics(registry);
  const { service, close } = await openStorage(options, metrics.collected);
  const { store, pins } = service;
  metrics.meterStore(async () => ({ ...(await store.stat()), pins: await pins.count() }));
  const notUsable = (error: unknown) => `the block store cannot be used: ${messageForClients(error)}`;
  const problems = watchDependencies(registry, [
    {
      name: options.shared ? 'bucket' : 'disk',
      use: 'files',
      // One look at a time: two would remove each other's file.
      problem: problemIf(() => Promise.all([store.check(), probeWrite(options.dataDir)]), notUsable),
    },
  ]);
  const requestMs = service.limits.requestSeconds * 1000;
  let gateway: RunningGateway | undefined;
  let server: Server;
  let bound: number;
  try {
    gateway =
      options.gateway &&
      (await startGateway(service, options.gateway, options.tls, logger, metrics, options.requestId));
    if (gateway) {
      const { server: listener } = gateway;
      meterConnections(registry, 'gateway', () => countConnections(listener));
    }
    server = createListener(options.tls, {
      connections: service.limits.connections,
      requestMs,
      answerMs: requestMs,
      pipelined: MAX_PIPELINED,
    });
    meterConnections(registry, 'storage', () => countConnections(server));
    bound = await listen(server, host, port, 'storage.host, storage.port or --storage-port');
  } catch (error) {
    await gateway?.stop();
    await close();
    throw error;
  }
  const origins = new OriginPolicy(options.origins ?? [], bound);
  const use =
    options.use &&
    new UseRecorder(options.use, {
      pinsOf: (id) => pins.held(id),
      onError: (error) => {
        logger.warn({ error: messageOf(error) }, 'the use of keys cannot be stored');
      },
    });
  if (use)
    pins.watch((tenant) => {
      use.changedPins(tenant);
    });
  const { authenticate, requestId } = options;
  const handler = new RequestHandler(service, origins, authenticate, logger, metrics, { requestId, use });
  server.on('request', (request, response) => {
    void handler.handle(request, response);
  });
  // Send "100 Continue" only once the server wants the body.
  server.on('checkContinue', (request, response) => {
    oversee(server, response, requestMs);
    void handler.handle(request, response);
  });
  let graceMs = 0;
  return {
    url: `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    problems,
    ...(gateway && { gateway: { url: gateway.url, port: gateway.port } }),
    leave: () => {
      graceMs = GRACE_MS;
      handler.leave();
      for (const each of [server, gateway?.server]) if (each) closeAfterResponses(each);
    },
    stop: async () => {
      await Promise.all([stopServing(server, () => handler.idle(), graceMs), gateway?.stop(graceMs)]);
      await use?.close();
      await close();
    },
  };
}
