import { BaseError, encodeFunctionData, type Hex, parseAbi, RpcRequestError } from 'viem';
import { call } from 'viem/actions';

import { IS_VALID, validityCall } from '../../core/safe/safe-message';
import { type NodeClient } from './node';

const LEGACY_ERC1271 = parseAbi(['function isValidSignature(bytes data, bytes signature) view returns (bytes4)']);
/** The result of `isValidSignature(bytes,bytes)` for a valid signature. Safe calls this older form. */
const VALID = 0x20c13b0bn << 224n;

/** The code of nodes for a call that reverts. Some use another one, and say so in words. */
const REVERTED = 3;

/** @returns Whether a node says that a call reverts. Any other error says nothing about the contract. */
const isRevert = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) => cause instanceof RpcRequestError && (cause.code === REVERTED || /revert/iu.test(cause.details)),
  ) !== null;

/** @returns The word that a contract answers; undefined if it reverts or answers anything else. */
async function wordOf(to: Hex, data: Hex, node: NodeClient): Promise<bigint | undefined> {
  const { data: answer = '0x' } = await call(node, { to, data }).catch((error: unknown) => {
    if (isRevert(error)) return { data: undefined };
    throw error;
  });
  return answer.length === 66 ? BigInt(answer) : undefined;
}

/**
 * Whether a contract says that a signature is its own. One that reverts does not, and nor does an address without code.
 *
 * @param signed - The contract, the bytes whose keccak256 hash was signed, and the signature in the contract's form.
 * @throws If the node does not respond.
 */
export async function isContractSignature(
  { address, data, signature }: { readonly address: Hex; readonly data: Hex; readonly signature: Hex },
  node: NodeClient,
): Promise<boolean> {
  const input = encodeFunctionData({ abi: LEGACY_ERC1271, args: [data, signature] });
  return (await wordOf(address, input, node)) === VALID;
}

/** @returns Whether an account says that a signature of a hash is its own. @throws If the node does not respond. */
export const isAccountSignature = async (
  { address, hash, signature }: { readonly address: Hex; readonly hash: Hex; readonly signature: Hex },
  node: NodeClient,
): Promise<boolean> => (await wordOf(address, validityCall(hash, signature), node)) === IS_VALID;
