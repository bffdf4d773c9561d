import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { archiveDir } from '../service/chain/archive/catalog';
import { importArchive } from '../service/chain/archive/import';
import { localPool } from '../service/chain/archive/pool';
import { findSources } from '../service/chain/archive/sniff';
import { parseConfig } from '../service/cli/config';
import { makeDirectory } from '../service/runtime/directory';
import { type KeyStore } from '../service/keys';
import { openKeys } from '../service/keys/open';
import { JoinedRegistry } from '../service/runtime/joined-registry';
import { createLog } from '../service/runtime/log';
import { type RunningPart, stopParts } from '../service/part';
import { rpcPart } from '../service/chain';
import { storagePart } from '../service/storage/part';
import { DEVNET_CHAIN } from './chain/definition';
import { loopbackOrigins } from './loopback';
import { type Ports } from './ports';

/** A key of the service with its secret. It is stored, because it protects nothing but this devnet. */
export type Credentials = { readonly key: string; readonly secret: string };

/** The Keystead service of the devnet. */
export type DevnetService = {
  readonly credentials: Credentials;
  /** The devnet's chain, for JSON-RPC and user operations. */
  readonly rpcUrl: string;
  /** Real uncles of mainnet's first blocks. */
  readonly mainnetUrl: string;
  readonly storageUrl: string;
  readonly stop: () => Promise<void>;
};

export type ServiceOptions = {
  /** The data directory of the service. */
  readonly dataDir: string;
  readonly ports: Ports;
  readonly chainUrl: string;
  /** Absent without a bundler. */
  readonly bundlerUrl?: string | undefined;
};

const MAINNET = 'mainnet';

/** Blocks 0 to 670 of mainnet. */
const BLOCKS = join(process.cwd(), 'src/devnet/archive/mainnet-0-670.rlp.gz');

/** An example among them: the first uncle of block 668. */
export const UNCLE_EXAMPLE = { block: '0x29c', index: '0x0' };

/** Daily credits: a page that polls every second uses some seven million. */
const DAILY_CREDITS = 1_000_000_000;

const configOf = ({ ports, chainUrl, bundlerUrl }: ServiceOptions) =>
  parseConfig({
    log: { level: 'error' },
    // One developer uses it, with one key.
    rpc: { port: ports.rpc, drainMs: 1_000, limits: { keyPerSecond: 10_000, keyBurst: 10_000 } },
    credits: { daily: DAILY_CREDITS },
    networks: [
      {
        name: 'devnet',
        chainId: DEVNET_CHAIN.id,
        hosts: ['localhost', '127.0.0.1'],
        archive: false,
        upstream: { url: chainUrl, wsUrl: chainUrl.replace('http', 'ws') },
        ...(bundlerUrl !== undefined && { bundler: { url: bundlerUrl } }),
      },
      { name: MAINNET, chainId: 1, port: ports.mainnet },
    ],
    // `null` is the origin of a snap.
    storage: { port: ports.storage, origins: ['null', ...loopbackOrigins(ports.companion)] },
  });

/** The key of the previous start if it is still valid, or a new one. */
async function credentialsIn(dataDir: string, keys: KeyStore): Promise<Credentials> {
  const path = join(dataDir, 'devnet-key.json');
  if (existsSync(path)) {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Credentials;
    if ((await keys.verify(kept.key, kept.secret)) !== undefined) return kept;
  }
  const { key, secret } = await keys.create({ name: 'devnet' });
  writeFileSync(path, JSON.stringify({ key, secret }), { mode: 0o600 });
  return { key, secret };
}

/** @throws If a block is rejected. */
async function importBlocks(dataDir: string): Promise<void> {
  const dir = archiveDir(dataDir, MAINNET);
  const { files } = await importArchive({ dir, network: MAINNET, found: findSources([BLOCKS]), pool: localPool });
  const refused = files.find(({ outcome }) => outcome === 'refused');
  if (refused) throw new Error(`${refused.file}: ${refused.reason ?? 'refused'}`);
}

/**
 * Starts the chain service and the storage service in this process.
 *
 * @throws If an address cannot be bound, or another devnet uses the same data directory.
 */
export async function startService(options: ServiceOptions): Promise<DevnetService> {
  const { dataDir, ports } = options;
  makeDirectory(dataDir);
  const config = configOf(options);
  const log = createLog(config.log.level, 2);
  await importBlocks(dataDir);
  const keys = await openKeys(config, dataDir, () => undefined);
  const running: RunningPart[] = [];
  const stop = async (): Promise<void> => {
    await stopParts(running.splice(0));
    await keys.close();
  };
  try {
    const problems = async (): Promise<string[]> => (await Promise.all(running.map((part) => part.problems()))).flat();
    const context = { config, dataDir, keys, log, problems };
    // Each with metrics of its own: some have the same names, and nobody reads them here.
    for (const part of [rpcPart, storagePart])
      running.push(await part.start({ ...context, metrics: new JoinedRegistry() }));
    const credentials = await credentialsIn(dataDir, keys);
    return {
      credentials,
      rpcUrl: `http://127.0.0.1:${ports.rpc}/v3/${credentials.key}`,
      mainnetUrl: `http://127.0.0.1:${ports.mainnet}/v3/${credentials.key}`,
      storageUrl: `http://127.0.0.1:${ports.storage}`,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
