import { type Hex } from '../eth/bytes';
import { addressItem, encodeCall, uintItem } from '../erc4337/abi';
import { type Deployment } from '../erc4337/kind';
import { checksumAddress } from '../eth/address';
import { ServiceFailedError } from '../errors';
import { type NodeClient } from './node';

/** `getNonce(address,uint192)` (EntryPoint, every version). */
const GET_NONCE = '0x35567e1a';
/** `balanceOf(address)`: what an address has deposited (EntryPoint, every version). */
const BALANCE_OF = '0x70a08231';
/** `getAddress(address,uint256)` of a SimpleAccountFactory. */
const GET_ADDRESS = '0x8cb84e18';

/** @returns The account's next nonce for key 0. */
export const nextNonce = (node: NodeClient, entryPoint: Hex, sender: Hex, signal?: AbortSignal): Promise<bigint> =>
  node.callForWord(
    entryPoint,
    encodeCall(GET_NONCE, [addressItem(sender), uintItem(0n)]),
    `the nonce of ${sender}`,
    signal,
  );

/** @returns What an address has deposited at the entry point; wei. */
export const depositOf = (node: NodeClient, entryPoint: Hex, address: Hex, signal?: AbortSignal): Promise<bigint> =>
  node.callForWord(entryPoint, encodeCall(BALANCE_OF, [addressItem(address)]), `the deposit of ${address}`, signal);

/** @returns The address that a factory says it deploys an account at; with checksum. */
export async function addressByFactory(
  node: NodeClient,
  { factory, owner, salt }: Deployment,
  signal?: AbortSignal,
): Promise<Hex> {
  const data = encodeCall(GET_ADDRESS, [addressItem(owner), uintItem(salt)]);
  const word = await node.callForWord(factory, data, 'the address of an account', signal);
  if (word >> 160n !== 0n) throw new ServiceFailedError(`The factory ${factory} did not answer with an address.`);
  return checksumAddress(`0x${word.toString(16).padStart(40, '0')}`);
}
