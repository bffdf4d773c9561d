import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startAnvil } from '../../../src/devnet/anvil';
import { startBundler } from '../../../src/devnet/bundler';
import { preparedContracts, writeFirstState } from '../../../src/devnet/chain/state';
import { startPaymasterService } from '../../../src/devnet/paymaster-service';
import { startChainService } from './chain-service';
import { chainClient } from './contracts';
import { type World } from './world';

/** What clients of the devnet use: its chain with the prepared contracts, and node and bundler behind one address. */
export type DevnetWorld = Omit<World, 'paymasters'>;

/** Starts it from the parts of `npm start`; stops what was started if a part fails. */
export async function startDevnetWorld(): Promise<DevnetWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-'));
  const running: { readonly stop: () => Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const part of running.reverse()) await part.stop();
    rmSync(folder, { recursive: true });
  };
  try {
    const state = join(folder, 'chain.json');
    writeFirstState(state);
    const anvil = await startAnvil({ state });
    running.push(anvil);
    const bundler = await startBundler({ rpcUrl: anvil.url });
    running.push(bundler);
    const paymaster = await startPaymasterService(preparedContracts().paymasters);
    running.push(paymaster);
    const { url, ...service } = await startChainService({ rpcUrl: anvil.url, bundlerUrl: bundler.url });
    running.push(service);
    return { chain: chainClient(anvil.url), rpcUrl: url, bundlerUrl: url, paymasterUrl: paymaster.url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
