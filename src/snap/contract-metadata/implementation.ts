import { type NodeClient } from '../../clients/node';
import { type Hex } from '../../core/eth/bytes';

/** keccak256("eip1967.proxy.implementation") - 1, and the same of the beacon (EIP-1967). */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
/** `implementation()`. */
const IMPLEMENTATION_SELECTOR = '0x5c60da1b';

/** EIP-7702: the code of an account that has delegated to a contract. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/u;
/** EIP-1167, also with an address of fewer than 20 bytes. */
const MINIMAL_PROXY =
  /^0x363d3d373d3d3d363d(?:73([0-9a-f]{40})|72([0-9a-f]{38})|71([0-9a-f]{36})|70([0-9a-f]{34})|6f([0-9a-f]{32}))5af43d82803e903d91602b57fd5bf3/u;

const addressOf = (word: bigint): Hex | undefined =>
  word === 0n || word >> 160n !== 0n ? undefined : `0x${word.toString(16).padStart(40, '0')}`;

/** Where the code says itself that it only passes calls on. */
function targetInCode(code: string): Hex | undefined {
  const found = DELEGATION.exec(code) ?? MINIMAL_PROXY.exec(code);
  const digits = found?.slice(1).find((group) => group !== undefined);
  return digits === undefined ? undefined : `0x${digits.padStart(40, '0')}`;
}

async function targetInStorage(address: Hex, node: NodeClient, signal: AbortSignal): Promise<Hex | undefined> {
  const target = addressOf(await node.storageAt(address, IMPLEMENTATION_SLOT, signal));
  if (target !== undefined) return target;
  const beacon = addressOf(await node.storageAt(address, BEACON_SLOT, signal));
  if (beacon === undefined) return undefined;
  return addressOf(await node.callForWord(beacon, IMPLEMENTATION_SELECTOR, 'its implementation', signal));
}

/**
 * The code that runs when an address is called: behind a delegation (EIP-7702), and behind one proxy of EIP-1167
 * or EIP-1967.
 *
 * @returns Runtime code; 0x if there is none.
 * @throws {ServiceFailedError} If the node does not tell.
 */
export async function implementationCode(address: Hex, node: NodeClient, signal: AbortSignal): Promise<Hex> {
  let code = await node.code(address, signal);
  let at = address;
  for (let hop = 0; hop < 2; hop++) {
    const target: Hex | undefined =
      code === '0x' ? undefined : (targetInCode(code.toLowerCase()) ?? (await targetInStorage(at, node, signal)));
    if (target === undefined) return code;
    code = await node.code(target, signal);
    at = target;
  }
  return code;
}
