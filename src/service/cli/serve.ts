import type { Command } from 'commander';
import type { Logger } from 'pino';
import { collectDefaultMetrics } from 'prom-client';

import { parseConfig, type ServiceConfig } from './config';
import { type CreatedKey, KeysUnavailableError } from '../keys';
import { openKeys } from '../keys/open';
import { JoinedRegistry } from '../runtime/joined-registry';
import { meterDisk } from '../runtime/disk-metrics';
import { createLog } from '../runtime/log';
import { descriptorLimit, divide } from '../admission/descriptors';
import { CONNECTIONS, startOperations } from '../operations/server';
import { leaveParts, stopParts, type PartContext, type RunningPart, type ServicePart } from '../part';
import { rpcPart } from '../chain';
import { storageThreadPart } from '../storage/thread';
import { firstKey, mustNotHaveLostKeys } from './lost-keys';
import { missingParts } from './missing';
import { servesOnlyFiles } from './only-files';
import { tuneForFiles } from '../runtime/v8-memory';
import { table } from '../runtime/table';
import { addCommand, print, settings, wholeNumber, type CommonOptions } from './command';
import { checkDataDir, makeDataDir } from './data-dir';

/** The servers of the service, in start order, by the name under which operators ask for their readiness. */
const PARTS: readonly (readonly [name: string, part: ServicePart<ServiceConfig>])[] = [
  ['chain', rpcPart],
  ['storage', storageThreadPart],
];

type ServeOptions = CommonOptions & { rpcPort?: number; storagePort?: number; operationsPort?: number };

/** Logs go to stderr; stdout is for the command's own output. */
const STDERR = 2;

/**
 * Divides the descriptors of the process among the listeners, before anything listens.
 *
 * @returns The connections of the listener of operators, and how to say in the log what was divided.
 */
function shareDescriptors(config: ServiceConfig, log: Logger): { operations: number; note: () => void } {
  const { rpc, networks, storage } = config;
  const own = networks.flatMap(({ port }, i) => (port === undefined ? [] : [[`rpc ${i}`, rpc.limits.connections]]));
  const files = storage.enabled ? { storage: storage.limits.connections } : {};
  const gateway = storage.enabled && storage.gateway ? { gateway: storage.limits.connections } : {};
  const wanted: Record<string, number> = {
    operations: CONNECTIONS,
    rpc: rpc.limits.connections,
    ...(Object.fromEntries(own) as Record<string, number>),
    ...files,
    ...gateway,
  };
  const limit = descriptorLimit();
  const shares = divide(wanted, limit);
  const isReduced = Object.entries(shares).some(([name, share]) => share < (wanted[name] ?? 0));
  const note = () => {
    const descriptors = Number.isFinite(limit) ? limit : 'unknown';
    if (isReduced)
      log.warn({ descriptors, connections: shares }, 'connections are limited by the descriptors of the process');
    else log.info({ descriptors, connections: shares }, 'connections of each listener');
  };
  rpc.limits.connections = shares['rpc'] ?? rpc.limits.connections;
  storage.limits.connections = Math.min(
    shares['storage'] ?? Infinity,
    shares['gateway'] ?? Infinity,
    storage.limits.connections,
  );
  return { operations: shares['operations'] ?? CONNECTIONS, note };
}

/** Starts what operators ask, and then every part. @returns All that runs, in the order of its addresses. */
async function startParts(context: PartContext<ServiceConfig>): Promise<RunningPart[]> {
  const { config, metrics, log } = context;
  const running = new Map<string, RunningPart>();
  const enabled = PARTS.filter(([name]) => name !== 'storage' || config.storage.enabled);
  const parts = Object.fromEntries(enabled.map(([name]) => [name, () => running.get(name)]));
  const { operations: connections, note } = shareDescriptors(config, log);
  const operations = await startOperations({ ...config.rpc.operations, connections, metrics, log, parts });
  try {
    for (const [name, part] of PARTS) running.set(name, await part.start(context));
  } catch (error) {
    await stopParts([...running.values(), operations]);
    throw error;
  }
  note();
  return [...running.values(), operations];
}

/** Resolves at the first SIGINT or SIGTERM. A second one ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let received = false;
    const onSignal = (signal: NodeJS.Signals) => {
      if (received) process.exit(130);
      received = true;
      resolve(signal);
    };
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  });
}

function announce(
  json: boolean,
  running: readonly RunningPart[],
  missing: readonly string[],
  created: CreatedKey | undefined,
): void {
  const addresses = running.flatMap((part) => part.addresses);
  const made = created && { key: created.key, secret: created.secret };
  print(json, { addresses, ...(missing.length > 0 && { missing }), ...made }, () =>
    [
      table(addresses.map(({ label, url }) => [label, url])),
      ...(missing.length > 0 ? ['', 'Not set up yet', ...missing] : []),
      ...(made ? ['', 'Your first API key. The secret will not be shown again.', table(Object.entries(made))] : []),
    ].join('\n'),
  );
}

async function serve(options: ServeOptions): Promise<void> {
  const { config, dataDir, json } = settings(options);
  if (options.rpcPort !== undefined) config.rpc.port = options.rpcPort;
  if (options.storagePort !== undefined) config.storage.port = options.storagePort;
  if (options.operationsPort !== undefined) config.rpc.operations.port = options.operationsPort;
  // When Redis and a bucket take all writes, the data directory may be read-only.
  const { ledger, storage } = config;
  if (ledger === 'sqlite' || (storage.enabled && !storage.s3)) makeDataDir(dataDir);
  else checkDataDir(dataDir);
  if (servesOnlyFiles(config, dataDir.path)) tuneForFiles();
  const log = createLog(config.log.level, STDERR);
  const metrics = new JoinedRegistry();
  collectDefaultMetrics({ register: metrics });
  meterDisk(metrics, dataDir.path);
  const onError = (error: Error) => {
    log.error({ reason: error.message }, 'the key store cannot be reached');
  };
  const keys = await openKeys(config, dataDir.path, onError, { isPatient: true });
  try {
    await mustNotHaveLostKeys(config, dataDir.path, keys).catch((error: unknown) => {
      // Redis is not there yet; readiness goes on looking.
      if (!(error instanceof KeysUnavailableError)) throw error;
    });
    const stop = stopSignal();
    const running = await startParts({ config, dataDir: dataDir.path, keys, log, metrics });
    const created = await firstKey(config, dataDir.path, keys).catch(async (error: unknown) => {
      await stopParts(running);
      throw error;
    });
    const hasKey = created !== undefined || !(await keys.isEmpty().catch(() => false));
    announce(json, running, missingParts(config, dataDir.path, options, hasKey), created);
    const signal = await stop;
    log.info({ signal }, 'stopping');
    // At a terminal, nobody balances the load.
    if (signal === 'SIGTERM') await leaveParts(running, config.shutdownDelayMs);
    await stopParts(running);
    log.info('stopped');
  } finally {
    await keys.close();
  }
}

/** `serve`. */
export function serveCommand(program: Command): void {
  const { rpc, storage } = parseConfig({});
  addCommand(program, 'serve', 'run the service until SIGINT or SIGTERM')
    .option(
      '--rpc-port <port>',
      `port of the JSON-RPC service; 0 picks a free one (default: ${rpc.port})`,
      wholeNumber(0, 65535),
    )
    .option(
      '--storage-port <port>',
      `port of the file storage; 0 picks a free one (default: ${storage.port})`,
      wholeNumber(0, 65535),
    )
    .option(
      '--operations-port <port>',
      'port of health and metrics; 0 picks a free one, which is the default',
      wholeNumber(0, 65535),
    )
    .action(serve);
}
