import { encodeFunctionData, type Hex, parseEventLogs, type RpcLog } from 'viem';
import {
  entryPoint08Abi,
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation,
} from 'viem/account-abstraction';

import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { KINDS } from '../../../src/core/kinds';
import { type Call } from '../../../src/core/erc4337/user-operation';
import { DEPLOYER } from './anvil-rpc';
import { CHAIN_ID, type PreviewWorld } from './preview-world';
import { chainClient } from './contracts';

const ENTRY_POINT = ENTRY_POINTS['0.8'];
const KIND = 'simple-account-0.8';

/** Pays for the operations of the SimpleAccount 0.8, at the entry point. */
export async function prepay({ holders, send }: PreviewWorld): Promise<void> {
  const { address } = holders.find(({ name }) => name === KIND)!;
  const data = encodeFunctionData({ abi: entryPoint08Abi, functionName: 'depositTo', args: [address] });
  const { status } = await send(DEPLOYER, { to: ENTRY_POINT, value: 10n ** 19n, data });
  if (status !== '0x1') throw new Error('the entry point took no deposit');
}

/**
 * Has the SimpleAccount 0.8 make calls in a user operation that its owner signs and another account hands in.
 *
 * @returns Whether the calls succeeded.
 */
export async function handleOperation(
  { holders, eoaAccount, send, url }: PreviewWorld,
  calls: readonly Call[],
): Promise<boolean> {
  const { address: sender } = holders.find(({ name }) => name === KIND)!;
  const nonce = await chainClient(url).readContract({
    address: ENTRY_POINT,
    abi: entryPoint08Abi,
    functionName: 'getNonce',
    args: [sender, 0n],
  });
  const operation: UserOperation<'0.8'> = {
    sender,
    nonce,
    callData: KINDS[KIND].encodeCalls(calls),
    callGasLimit: 1_500_000n,
    verificationGasLimit: 300_000n,
    preVerificationGas: 60_000n,
    maxFeePerGas: 10n ** 9n,
    maxPriorityFeePerGas: 1n,
    signature: '0x',
  };
  const hash = getUserOperationHash({
    chainId: Number(CHAIN_ID),
    entryPointAddress: ENTRY_POINT,
    entryPointVersion: '0.8',
    userOperation: operation,
  });
  const signature: Hex = await eoaAccount.sign({ hash });
  const data = encodeFunctionData({
    abi: entryPoint08Abi,
    functionName: 'handleOps',
    args: [[toPackedUserOperation({ ...operation, signature })], DEPLOYER],
  });
  const { status, logs } = await send(DEPLOYER, { to: ENTRY_POINT, data });
  if (status !== '0x1') throw new Error('the entry point refused an operation');
  const events = parseEventLogs({
    abi: entryPoint08Abi,
    eventName: 'UserOperationEvent',
    logs: logs as readonly unknown[] as RpcLog[],
  });
  return events.some(({ args }) => args.sender.toLowerCase() === sender.toLowerCase() && args.success);
}
