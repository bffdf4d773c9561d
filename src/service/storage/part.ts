import { join } from 'node:path';

import type { PartContext, RunningPart, ServicePart } from '../part';
import { startStorage } from './server';

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/** Where the blocks and pins of a data directory are. */
export const storageDir = (dataDir: string): string => join(dataDir, 'storage');

async function start({ config, dataDir, keys, log }: PartContext): Promise<RunningPart> {
  const { enabled, host, port, origins, operators } = config.storage;
  if (!enabled) return { addresses: [], problems: () => Promise.resolve([]), stop: () => Promise.resolve() };
  // Every request carries a secret: it must not cross a network in the clear where TLS was asked for.
  if (config.tls !== undefined && !LOOPBACK.includes(host))
    throw new Error('storage.host: must be a loopback address with tls, since storage speaks plain HTTP to its proxy');
  const storage = await startStorage({
    dataDir: storageDir(dataDir),
    authenticate: async (key, secret) => (await keys.verify(key, secret))?.id,
    host,
    port,
    origins,
    ...(operators !== undefined && { operators }),
    logger: log,
  });
  return {
    addresses: [{ label: 'Storage', url: storage.url }],
    problems: () => Promise.resolve([]),
    stop: storage.stop,
  };
}

/** The file-storage service: the HTTP API under /api/v0/. */
export const storagePart: ServicePart = { name: 'storage', start };
