import type { Command } from 'commander';
import { collectDefaultMetrics } from 'prom-client';

import { parseConfig, type ServiceConfig } from './config';
import type { CreatedKey, KeyStore } from '../keys';
import { openKeys } from '../keys/open';
import { JoinedRegistry } from '../runtime/joined-registry';
import { createLog } from '../runtime/log';
import { singleFlight } from '../runtime/single-flight';
import { stopParts, type PartContext, type RunningPart, type ServicePart } from '../part';
import { rpcPart } from '../chain';
import { storageThreadPart } from '../storage/thread';
import { missingParts } from './missing';
import { servesOnlyFiles } from './only-files';
import { tuneForFiles } from '../runtime/v8-memory';
import { table } from '../runtime/table';
import { addCommand, print, settings, wholeNumber, type CommonOptions } from './command';
import { checkDataDir, makeDataDir } from './data-dir';

/** The servers of the service, in start order. */
const PARTS: readonly ServicePart<ServiceConfig>[] = [rpcPart, storageThreadPart];

type ServeOptions = CommonOptions & { rpcPort?: number; storagePort?: number };

/** Logs go to stderr; stdout is for the command's own output. */
const STDERR = 2;

/** The service is useless without a key, so the first start creates one. */
async function firstKey(keys: KeyStore): Promise<CreatedKey | undefined> {
  return (await keys.list()).length === 0 ? keys.create({ name: 'first' }) : undefined;
}

/** Starts every part and adds it to `running`. */
async function startParts(context: PartContext<ServiceConfig>, running: RunningPart[]): Promise<void> {
  try {
    for (const part of PARTS) running.push(await part.start(context));
  } catch (error) {
    await stopParts(running);
    throw error;
  }
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
  // When Redis and a bucket take all writes, the data directory may be read-only.
  const { ledger, storage } = config;
  if (ledger === 'sqlite' || (storage.enabled && !storage.s3)) makeDataDir(dataDir);
  else checkDataDir(dataDir);
  if (servesOnlyFiles(config, dataDir.path)) tuneForFiles();
  const log = createLog(config.log.level, STDERR);
  const metrics = new JoinedRegistry();
  collectDefaultMetrics({ register: metrics });
  const keys = await openKeys(config, dataDir.path, (error) => {
    log.error({ reason: error.message }, 'the key store cannot be reached');
  });
  try {
    const stop = stopSignal();
    const running: RunningPart[] = [];
    // Anyone may ask, and each look writes to the disk.
    const problems = singleFlight(async () => (await Promise.all(running.map((part) => part.problems()))).flat());
    await startParts({ config, dataDir: dataDir.path, keys, log, metrics, problems }, running);
    announce(json, running, missingParts(config, dataDir.path, options), await firstKey(keys));
    log.info({ signal: await stop }, 'stopping');
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
    .action(serve);
}
