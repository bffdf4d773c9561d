import { getAddress, encodeFunctionData, numberToHex, parseAbi } from 'viem/utils';

import { type Hex, lowerCase } from '../core/eth/bytes';
import { mostItCosts } from '../core/erc4337/cost';
import { type FundsFacts } from '../core/erc4337/failures';
import { type OperationDomain } from '../core/erc4337/hash';
import { type Deployment } from '../core/erc4337/kind';
import { type UserOperation } from '../core/erc4337/user-operation';
import { ServiceFailedError } from '../core/errors';
import { type NodeClient } from './node';

/** The entry point functions used here, the same in every version. `balanceOf` returns the deposit of an address. */
const ENTRY_POINT_ABI = parseAbi([
  'function getNonce(address sender, uint192 key) view returns (uint256 nonce)',
  'function balanceOf(address account) view returns (uint256)',
]);

/** The SimpleAccountFactory function used here. */
const FACTORY_ABI = parseAbi(['function getAddress(address owner, uint256 salt) view returns (address)']);

/**
 * @returns The account's next nonce for key 0.
 * @throws {ServiceFailedError} If the entry point does not return a nonce for key 0.
 */
export async function nextNonce(node: NodeClient, entryPoint: Hex, sender: Hex, signal?: AbortSignal): Promise<bigint> {
  const what = `the nonce of ${sender}`;
  const data = encodeFunctionData({ abi: ENTRY_POINT_ABI, functionName: 'getNonce', args: [lowerCase(sender), 0n] });
  const nonce = await node.callForWord(entryPoint, data, what, signal);
  if (nonce >> 64n !== 0n) throw new ServiceFailedError(`${entryPoint} did not return ${what} for key 0.`);
  return nonce;
}

/**
 * The maximum cost of an operation, and the account's balance and deposit.
 *
 * @returns Amounts in wei.
 */
export async function fundsFor(
  node: NodeClient,
  operation: UserOperation,
  { version, entryPoint }: OperationDomain,
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

/** @returns The checksummed address at which a factory deploys an account, according to the factory. */
export async function addressByFactory(
  node: NodeClient,
  { factory, owner, salt }: Deployment,
  signal?: AbortSignal,
): Promise<Hex> {
  const data = encodeFunctionData({ abi: FACTORY_ABI, args: [lowerCase(owner), salt] });
  const word = await node.callForWord(factory, data, 'the account address', signal);
  if (word >> 160n !== 0n) throw new ServiceFailedError(`The factory ${factory} did not return an address.`);
  return getAddress(numberToHex(word, { size: 20 }));
}
