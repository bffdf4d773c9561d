import { type Hex, parseEther, toHex } from 'viem';

import { type Log } from '../../../src/core/schemas/receipt';

/** Deploys tests' contracts. Not anvil's first account: the devnet's contracts are at the addresses of its nonces. */
export const DEPLOYER: Hex = `0x${'de'.repeat(20)}`;

export type Receipt = {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly Log[];
};

export type AnvilRpc = <T>(method: string, params?: readonly unknown[]) => Promise<T>;

/** @returns JSON-RPC of an anvil that sends transactions as any account. {@link DEPLOYER} is funded. */
export async function anvilRpc(url: string): Promise<AnvilRpc> {
  let id = 0;
  const ask: AnvilRpc = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const rpc: AnvilRpc = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    // A transaction leaves anvil's pool a moment after its block is there. Undone before that, it would be mined again.
    if (method === 'evm_revert') await ask('anvil_dropAllTransactions');
    if (method !== 'eth_sendTransactionSync') return ask<T>(method, params);
    // On a busy machine, anvil itself may miss the block of a transaction that it waits for.
    const hash = await ask<Hex>('eth_sendTransaction', params);
    for (;;) {
      const receipt = await ask<T | null>('eth_getTransactionReceipt', [hash]);
      if (receipt !== null) return receipt;
    }
  };
  await rpc('anvil_autoImpersonateAccount', [true]);
  await rpc('anvil_setBalance', [DEPLOYER, toHex(parseEther('10000'))]);
  return rpc;
}
