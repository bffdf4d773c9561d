import { type Hex } from '../eth/bytes';
import { addressItem, encodeCall, uintItem } from '../erc4337/abi';
import { mostItCosts } from '../erc4337/cost';
import { type FundsFacts } from '../erc4337/failures';
import { type OperationPlace } from '../erc4337/hash';
import { type Deployment } from '../erc4337/kind';
import { type UserOperation } from '../erc4337/user-operation';
import { checksumAddress } from '../eth/address';
import { ServiceFailedError } from '../errors';
import { type NodeClient } from './node';

/** `getNonce(address,uint192)` (EntryPoint, every version). */
const GET_NONCE = '0x35567e1a';
/** `balanceOf(address)`: what an address has deposited (EntryPoint, every version). */
const BALANCE_OF = '0x70a08231';
/** `getAddress(address,uint256)` of a SimpleAccountFactory. */
const GET_ADDRESS = '0x8cb84e18';

/**
 * @returns The account's next nonce for key 0.
 * @throws {ServiceFailedError} If it is one of another key.
 */
export async function nextNonce(node: NodeClient, entryPoint: Hex, sender: Hex, signal?: AbortSignal): Promise<bigint> {
  const what = `the nonce of ${sender}`;
  const data = encodeCall(GET_NONCE, [addressItem(sender), uintItem(0n)]);
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
  const depositData = encodeCall(BALANCE_OF, [addressItem(sender)]);
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
  const data = encodeCall(GET_ADDRESS, [addressItem(owner), uintItem(salt)]);
  const word = await node.callForWord(factory, data, 'the address of an account', signal);
  if (word >> 160n !== 0n) throw new ServiceFailedError(`The factory ${factory} did not answer with an address.`);
  return checksumAddress(`0x${word.toString(16).padStart(40, '0')}`);
}
