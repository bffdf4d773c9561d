import { MODULE_4337 } from '../contracts';
import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { BytesStruct } from '../../structs/hex';
import { type ReadAt } from './answer';
import { type DelayModifier, readDelayModifier } from './delay-modifier';
import { hasModuleCode, type RecoveryModule, recoveryModuleAt } from './modules';

/** What an enabled module of a Safe is. An unknown one may do anything with the Safe. */
export type ModuleKind = { readonly address: Hex } & (
  | { readonly kind: 'erc4337' }
  | { readonly kind: 'recovery'; readonly module: RecoveryModule }
  | { readonly kind: 'delay'; readonly delay: DelayModifier }
  | { readonly kind: 'unknown' }
);

/**
 * Recognizes a module of a Safe by its code, except the one for ERC-4337, without which Keystead's Safes do nothing.
 *
 * @param known - The recovery modules to compare it with.
 * @throws {ServiceFailedError} If the node does not answer, or its answer is malformed.
 */
export async function kindOfModule(address: Hex, known: readonly RecoveryModule[], at: ReadAt): Promise<ModuleKind> {
  if (isSameAddress(address, MODULE_4337)) return { address, kind: 'erc4337' };
  const module = recoveryModuleAt(address, known);
  if (module === undefined) {
    const delay = await readDelayModifier(address, at);
    return delay === undefined ? { address, kind: 'unknown' } : { address, kind: 'delay', delay };
  }
  const code = await at.node.ask('eth_getCode', [module.address, at.block], BytesStruct);
  return hasModuleCode(module, code) ? { address, kind: 'recovery', module } : { address, kind: 'unknown' };
}
