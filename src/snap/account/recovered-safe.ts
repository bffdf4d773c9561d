import { keccak256 } from 'viem/utils';

import { type NodeClient } from '../../clients/node';
import { GUARD_SLOT, HANDLER_SLOT, MODULE_4337, PROXY_CODE_HASH, SINGLETON } from '../../core/safe/contracts';
import { GET_OWNERS, GET_THRESHOLD } from '../../core/safe/owners/owners';
import { InvalidParamsError, ServiceRefusedError } from '../../core/errors';
import { address as addressType, array, uint256 } from '../../core/eth/abi';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { askContract } from '../../core/safe/recovery/answer';
import { RECOVERY_MODULES } from '../../core/safe/recovery/modules';
import { readModules } from '../../core/safe/recovery/safe-modules';

/** The storage slot in which a Safe's proxy keeps the address of its code. */
const CODE_SLOT: Hex = `0x${'00'.repeat(32)}`;

/** The code of the development chain's stand-in. It has the rules of the module for tests, and the same delay. */
const STAND_IN_CODE_HASH: Hex = '0xcf7012f29297d3a1eff95b2e3a00480e51bba5a04fbb98b150bac2f195544cb6';

/** Anyone can deploy a module again, so its code decides and not its address. */
const isKnownModule = (code: Hex): boolean =>
  [STAND_IN_CODE_HASH, ...RECOVERY_MODULES.map(({ codeHash }) => codeHash)].includes(keccak256(code));

/** @returns Whether an address has the code of a Safe 1.4.1. */
export const isSafeProxy = async (address: Hex, node: NodeClient): Promise<boolean> =>
  keccak256(await node.code(address)) === PROXY_CODE_HASH;

/**
 * Checks that an account is a Safe of which this owner's key is the only owner, with the module for ERC-4337, which
 * also answers calls for it, with no other modules than known ones for recovery, and without a guard. Those who
 * controlled it before can have written to its storage what no function tells.
 *
 * @throws {InvalidParamsError} If it is another contract, or others can act for it.
 * @throws {ServiceFailedError} If the node does not respond correctly.
 */
export async function assertControls(owner: Hex, address: Hex, node: NodeClient): Promise<void> {
  const wrong = (rule: string): InvalidParamsError => new InvalidParamsError('options.address', rule);
  const assertSafe = (holds: boolean): void => {
    if (!holds) throw wrong('must be a Safe 1.4.1 that is deployed on this network');
  };
  assertSafe(await isSafeProxy(address, node));
  assertSafe((await node.storageAt(address, CODE_SLOT)) === BigInt(SINGLETON));
  if ((await node.storageAt(address, GUARD_SLOT)) !== 0n)
    throw wrong('must be a Safe without a guard, which could block what it sends');
  if ((await node.storageAt(address, HANDLER_SLOT)) !== BigInt(MODULE_4337))
    throw wrong('must be a Safe for which only the module for user operations (ERC-4337) answers calls');
  const at = { node, block: 'latest' } as const;
  const [[owners], [threshold], modules] = await Promise.all([
    askContract(address, GET_OWNERS, { returns: [array(addressType)], field: 'owners' }, at),
    askContract(address, GET_THRESHOLD, { returns: [uint256], field: 'threshold' }, at),
    readModules(address, at),
  ]).catch((error: unknown) => {
    if (error instanceof ServiceRefusedError) throw wrong('must be a Safe that answers as one');
    throw error;
  });
  if (!owners.some((one) => isSameAddress(one, owner)))
    throw wrong('must be a Safe that has the key of this index as an owner. Has the recovery been finished?');
  if (owners.length !== 1) throw wrong('must be a Safe without other owners, who could take what it holds');
  if (threshold !== 1n) throw wrong('must be a Safe that needs one signature');
  const others = modules.filter((module) => !isSameAddress(module, MODULE_4337));
  if (others.length === modules.length) throw wrong('must be a Safe with the module for user operations (ERC-4337)');
  for (const module of others) {
    if (!isKnownModule(await node.code(module)))
      throw wrong(`must be a Safe with known modules only. Module ${module} could take what it holds`);
  }
}
