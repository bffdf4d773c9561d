import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { numberToHex } from 'viem';

import { DEVNET_CHAIN } from '../../../src/devnet/chain/definition';
import { type Run } from '../../support/metamask/run';

const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Whether a build of MetaMask gives its UserOperationController an entry point. */
const hasEntryPoint = (folder: string): boolean =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .some((name) => /entrypoint:\s*["']0x/u.test(readFileSync(join(folder, name), 'utf8')));

/** In some builds, MetaMask's own controller makes user operations of what a smart account sends. */
export function controllerSteps(run: Run): void {
  const name = 'sends a user operation by MetaMask’s own controller, to inclusion';
  if (!hasEntryPoint(run.folder)) {
    it.skip(`${name} (skipped: this build of MetaMask gives the controller no entry point)`, () => undefined);
    return;
  }
  it(name, async () => {
    const from = run.address('a SimpleAccount 0.6');
    const node = await run.node;
    await run.site.connect(from, 'ask');
    const { name: chainName, rpcUrl } = run.site.devnet.chain;
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
    const chainId = numberToHex(DEVNET_CHAIN.id);
    await run.site.ask('wallet_addEthereumChain', [{ chainId, chainName, rpcUrls: [rpcUrl], nativeCurrency }]);
    const { baseFeePerGas } = await node.getBlock();
    const fee = numberToHex((baseFeePerGas ?? 0n) * 2n + 1_000_000_000n);
    const request = { from, to: RECIPIENT, value: '0x0', data: '0x', maxFeePerGas: fee, maxPriorityFeePerGas: fee };
    await run.site.ask('eth_sendTransaction', [request], run.look);
    expect(await node.getCode({ address: from })).toMatch(/^0x[0-9a-f]{2,}$/u);
  });
}
