import { BaseError, encodeFunctionData, type Hex, parseAbi, RpcRequestError } from 'viem';
import { call } from 'viem/actions';

import { type NodeClient } from './node';

const LEGACY_ERC1271 = parseAbi(['function isValidSignature(bytes data, bytes signature) view returns (bytes4)']);
/** The result of `isValidSignature(bytes,bytes)` for a valid signature. Safe calls this older form. */
const VALID = '0x20c13b0b';

/** The code of nodes for a call that reverts. Some use another one, and say so in words. */
const REVERTED = 3;

/** @returns Whether a node says that a call reverts. Any other error says nothing about the contract. */
const isRevert = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (cause) => cause instanceof RpcRequestError && (cause.code === REVERTED || /revert/iu.test(cause.details)),
  ) !== null;

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
  const { data: answer = '0x' } = await call(node, { to: address, data: input }).catch((error: unknown) => {
    if (isRevert(error)) return { data: undefined };
    throw error;
  });
  return answer.length === 66 && answer.startsWith(VALID) && BigInt(`0x${answer.slice(10)}`) === 0n;
}
