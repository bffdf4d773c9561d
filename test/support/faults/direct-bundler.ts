import { createPublicClient, encodeFunctionData, type Hex, http } from 'viem';
import { entryPoint07Abi, toPackedUserOperation, type UserOperation } from 'viem/account-abstraction';

import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../../src/core/erc4337/hash';
import { fromRpcForm, type RpcUserOperation } from '../../../src/core/erc4337/rpc-form';
import { toHex } from '../../../src/core/eth/bytes';
import { type Service } from './fault-proxy';

const ENTRY_POINT = ENTRY_POINTS['0.7'];
/** The second account of anvil's test phrase. The node signs for it. */
const EXECUTOR: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const BUNDLE_GAS = '0x2dc6c0';

/** In viem's form, with numbers. */
function withNumbers(operation: Readonly<Record<string, string>>): UserOperation<'0.7'> {
  const fields = Object.entries(operation).map(([name, value]) => [
    name,
    /gas|fee|nonce/iu.test(name) ? BigInt(value) : value,
  ]);
  return Object.fromEntries(fields) as UserOperation<'0.7'>;
}

/**
 * A simulator of a bundler for entry point 0.7: it sends each operation to the real entry point at once, in a
 * transaction of its own, and refuses what the entry point refuses. A real bundler takes seconds for a bundle.
 */
export function directBundler(rpcUrl: string, chainId: number): Service {
  const chain = createPublicClient({ transport: http(rpcUrl) });
  const included = new Map<string, { readonly transaction: Hex; readonly sender: string; readonly nonce: string }>();

  const send = async ([json]: readonly unknown[]) => {
    const operation = json as Record<string, string>;
    const place = { version: '0.7', entryPoint: ENTRY_POINT, chainId: BigInt(chainId) } as const;
    const hash = toHex(userOperationHash(fromRpcForm(operation as RpcUserOperation), place));
    const args = [[toPackedUserOperation(withNumbers(operation))], EXECUTOR] as const;
    const data = encodeFunctionData({ abi: entryPoint07Abi, functionName: 'handleOps', args });
    try {
      const call = { address: ENTRY_POINT, abi: entryPoint07Abi, account: EXECUTOR, args } as const;
      await chain.simulateContract({ ...call, functionName: 'handleOps' });
    } catch (error) {
      const [reason = 'the operation was refused'] = /AA\d\d [\w' ]+/u.exec(String(error)) ?? [];
      return { error: { code: -32500, message: reason } };
    }
    const transaction = await chain.request({
      method: 'eth_sendTransaction' as never,
      params: [{ from: EXECUTOR, to: ENTRY_POINT, data, gas: BUNDLE_GAS }] as never,
    });
    included.set(hash, { transaction, sender: operation.sender!, nonce: operation.nonce! });
    return { result: hash };
  };

  const receiptOf = (hash: string) => {
    const found = included.get(hash);
    return (
      found && {
        userOpHash: hash,
        sender: found.sender,
        nonce: found.nonce,
        success: true,
        actualGasUsed: '0x1',
        actualGasCost: '0x1',
        logs: [],
        receipt: { transactionHash: found.transaction, blockNumber: '0x1' },
      }
    );
  };

  return async ({ method, params }) => {
    switch (method) {
      case 'eth_chainId':
        return { result: `0x${chainId.toString(16)}` };
      case 'eth_supportedEntryPoints':
        return { result: [ENTRY_POINT] };
      case 'eth_estimateUserOperationGas':
        return {
          result: { callGasLimit: '0x186a0', verificationGasLimit: '0x7a120', preVerificationGas: '0xc350' },
        };
      case 'eth_sendUserOperation':
        return send(params);
      case 'eth_getUserOperationByHash':
        return { result: included.has(params[0] as string) ? { hash: params[0] } : null };
      case 'eth_getUserOperationReceipt':
        return { result: receiptOf(params[0] as string) ?? null };
      default:
        return { error: { code: -32601, message: `no ${method} here` } };
    }
  };
}
