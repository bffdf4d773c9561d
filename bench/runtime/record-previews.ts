import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

import { type Abi, createTestClient, type Hex, http, parseEther, publicActions, walletActions } from 'viem';

import { NodeClient } from '../../src/clients/node';
import { startAnvil } from '../../src/devnet/anvil';
import { writeFirstState } from '../../src/devnet/chain/state';
import { simulate } from '../../src/simulation/simulate';
import { OWNER, previewFlows, SMART_ACCOUNT } from './preview-flows';
import { keyOf, type NodeRecord, serveNode } from './recorded-node';

/** Anvil's first account, which it signs for. */
const CREATOR: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** MetaMask's test dapp brings a token (ERC-20). */
const CONSTANTS = join(
  createRequire(import.meta.url).resolve('@metamask/test-dapp/package.json'),
  '../dist/constants.json',
);

/** @returns The token of the flows, and what a real node (anvil) answers to their previews. */
export async function recordPreviews(): Promise<{ readonly token: Hex; readonly record: NodeRecord }> {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-bench-'));
  const state = join(folder, 'state.json');
  writeFirstState(state);
  const anvil = await startAnvil({ state });
  try {
    const chain = createTestClient({
      mode: 'anvil',
      transport: http(anvil.url),
      pollingInterval: 50,
    })
      .extend(publicActions)
      .extend(walletActions);
    const { hstAbi: abi, hstBytecode: bytecode } = JSON.parse(readFileSync(CONSTANTS, 'utf8')) as {
      readonly hstAbi: Abi;
      readonly hstBytecode: Hex;
    };
    const hash = await chain.deployContract({
      chain: null,
      account: CREATOR,
      abi,
      bytecode,
      args: [1_000_000n, 'Token', 6, 'TOK'],
    });
    const { contractAddress: token } = await chain.waitForTransactionReceipt({ hash });
    if (token === null || token === undefined) throw new Error('The token was not deployed.');
    for (const address of [OWNER, SMART_ACCOUNT]) {
      await chain.setBalance({ address, value: parseEther('10') });
      await chain.writeContract({
        chain: null,
        account: CREATOR,
        abi,
        address: token,
        functionName: 'transfer',
        args: [address, 1_000n],
      });
    }
    const record: NodeRecord = {};
    const node = await serveNode(async (asked) => {
      const result = await chain.request(asked as never);
      record[keyOf(asked)] = result;
      return result;
    }, 0);
    try {
      for (const [name, flow] of Object.entries(previewFlows(token))) {
        const outcome = await simulate(flow, new NodeClient({ url: node.url }));
        if (outcome.kind !== 'changes') throw new Error(`${name}: the preview failed: ${JSON.stringify(outcome)}`);
      }
    } finally {
      node.close();
    }
    return { token, record };
  } finally {
    await anvil.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
