import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startAnvil } from '../../../src/devnet/anvil';
import { startBundler } from '../../../src/devnet/bundler';
import { preparedContracts, type PreparedContracts, writeFirstState } from '../../../src/devnet/chain/state';
import { startPaymasterService } from '../../../src/devnet/paymaster-service';
import { type ChainClient, chainClient } from './contracts';

/**
 * The devnet's chain with its prepared contracts (entry points 0.6 to 0.9, account factories, delegates for EIP-7702,
 * Safe), a bundler, and a sponsor. The contracts of 0.9 are those of a release candidate.
 */
export type World = {
  readonly chain: ChainClient;
  readonly rpcUrl: string;
  readonly bundlerUrl: string;
  readonly paymasterUrl: string;
  readonly paymasters: PreparedContracts['paymasters'];
  readonly stop: () => Promise<void>;
};

/**
 * The nonce that the first account of anvil starts with: the prepared contracts are at addresses that its first nonces
 * give.
 */
const FIRST_NONCE = 1_000;

/** Starts everything; stops what was started if a part fails. */
export async function startWorld(): Promise<World> {
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
    const chain = chainClient(anvil.url);
    await chain.setNonce({ address: chain.account.address, nonce: FIRST_NONCE });
    const { paymasters } = preparedContracts();
    const service = await startPaymasterService(paymasters);
    running.push(service);
    const alto = await startBundler({ rpcUrl: anvil.url });
    running.push(alto);
    return { chain, rpcUrl: anvil.url, bundlerUrl: alto.url, paymasterUrl: service.url, paymasters, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
