import { type NodeClient } from '../../../clients/node';
import { type Hex } from '../../../core/eth/bytes';
import { BEACON_SLOT, IMPLEMENTATION_SLOT } from '../../../core/eth/proxy-slots';

/** `implementation()`. */
const IMPLEMENTATION_SELECTOR = '0x5c60da1b';

/** The code of an account that has delegated to a contract (EIP-7702). */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/u;
/** An EIP-1167 minimal proxy, including the variants with a shorter address. */
const MINIMAL_PROXY =
  /^0x363d3d373d3d3d363d(?:73([0-9a-f]{40})|72([0-9a-f]{38})|71([0-9a-f]{36})|70([0-9a-f]{34})|6f([0-9a-f]{32}))5af43d82803e903d91602b57fd5bf3/u;

const addressOf = (word: bigint): Hex | undefined =>
  word === 0n || word >> 160n !== 0n ? undefined : `0x${word.toString(16).padStart(40, '0')}`;

/** The target of code that only delegates to another address. */
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
 * The code that runs when an address is called. Follows an EIP-7702 delegation and one EIP-1167 or EIP-1967 proxy.
 *
 * @returns The runtime code; 0x if there is none.
 * @throws {ServiceFailedError} If the node does not respond correctly.
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
