import { getAddress, encodeFunctionData, numberToHex } from 'viem/utils';

import { type Hex, lowerCase } from '../core/eth/bytes';
import { mostItCosts } from '../core/erc4337/cost';
import { type FundsFacts } from '../core/erc4337/failures';
import { type OperationPlace } from '../core/erc4337/hash';
import { type Deployment } from '../core/erc4337/kind';
import { type UserOperation } from '../core/erc4337/user-operation';
import { ServiceFailedError } from '../core/errors';
import { type NodeClient } from './node';

/** What is asked of the entry point: the same in every version. `balanceOf` tells an address's deposit. */
const ENTRY_POINT_ABI = [
  {
    type: 'function',
    name: 'getNonce',
    stateMutability: 'view',
    inputs: [
      { name: 'sender', type: 'address' },
      { name: 'key', type: 'uint192' },
    ],
    outputs: [{ name: 'nonce', type: 'uint256' }],
  },
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const;

/** What is asked of a SimpleAccountFactory. */
const FACTORY_ABI = [
  {
    type: 'function',
    name: 'getAddress',
    stateMutability: 'view',
    inputs: [
      { name: 'owner', type: 'address' },
      { name: 'salt', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'address' }],
  },
] as const;

/**
 * @returns The account's next nonce for key 0.
 * @throws {ServiceFailedError} If it is one of another key.
 */
export async function nextNonce(node: NodeClient, entryPoint: Hex, sender: Hex, signal?: AbortSignal): Promise<bigint> {
  const what = `the nonce of ${sender}`;
  const data = encodeFunctionData({ abi: ENTRY_POINT_ABI, functionName: 'getNonce', args: [lowerCase(sender), 0n] });
  const nonce = await node.callForWord(entryPoint, data, what, signal);
  if (nonce >> 64n !== 0n) throw new ServiceFailedError(`${entryPoint} did not tell ${what} for key 0.`);
  return nonce;
}

/**
 * What an operation may cost the account at most, and what the account has to pay with.
 *
 * @returns wei.
 */
export async function fundsFor(
  node: NodeClient,
  operation: UserOperation,
  { version, entryPoint }: OperationPlace,
  signal?: AbortSignal,
): Promise<FundsFacts> {
  const { sender } = operation;
  const depositData = encodeFunctionData({
    abi: ENTRY_POINT_ABI,
    functionName: 'balanceOf',
    args: [lowerCase(sender)],
  });
  const [balance, deposit] = await Promise.all([
    node.balance(sender, signal),
    node.callForWord(entryPoint, depositData, `the deposit of ${sender}`, signal),
  ]);
  return { needed: mostItCosts(operation, version), balance, deposit };
}

/** @returns The address that a factory says it deploys an account at; with checksum. */
export async function addressByFactory(
  node: NodeClient,
  { factory, owner, salt }: Deployment,
  signal?: AbortSignal,
): Promise<Hex> {
  const data = encodeFunctionData({ abi: FACTORY_ABI, args: [lowerCase(owner), salt] });
  const word = await node.callForWord(factory, data, 'the address of an account', signal);
  if (word >> 160n !== 0n) throw new ServiceFailedError(`The factory ${factory} did not answer with an address.`);
  return getAddress(numberToHex(word, { size: 20 }));
}
