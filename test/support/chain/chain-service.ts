import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pino } from 'pino';
import { JoinedRegistry } from '../../../src/service/runtime/joined-registry';
import { foundry } from 'viem/chains';

import { parseConfig } from '../../../src/service/cli/config';
import { openKeys } from '../../../src/service/keys/open';
import { rpcPart } from '../../../src/service/chain';
import { type World } from './world';

/** The chain service in front of a world's node and bundler: one address for both. */
export type ChainService = { readonly url: string; readonly stop: () => Promise<void> };

/** Starts the service on a free port, with a key. */
export async function startChainService({ rpcUrl, bundlerUrl }: World): Promise<ChainService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'keystead-'));
  const config = parseConfig({
    rpc: { port: 0, drainMs: 1_000 },
    networks: [
      {
        name: 'devnet',
        chainId: foundry.id,
        archive: false,
        upstream: { url: rpcUrl },
        bundler: { url: bundlerUrl },
      },
    ],
  });
  const keys = await openKeys(config, dataDir, () => undefined);
  const { key } = await keys.create();
  const log = pino({ level: 'silent' });
  const service = await rpcPart.start({
    config,
    dataDir,
    keys,
    log,
    metrics: new JoinedRegistry(),
  });
  const [address] = service.addresses;
  return {
    url: `${address?.url ?? ''}/v3/${key}`,
    stop: async () => {
      await service.stop();
      await keys.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
