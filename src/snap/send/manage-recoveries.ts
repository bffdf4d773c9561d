import { type OwnMethods } from '../../core/methods/own';
import { type Hex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { ChainReferenceStruct, toChainName } from '../../core/schemas/chain';
import { object, parse, type Struct } from '../../core/structs/struct';
import { lookAtSafes } from '../account/look-at-safes';
import { type RecoveryEntry } from '../account/recoveries/repository';
import { type LookDeps } from '../account/recoveries/look';
import { cancelRecovery } from './cancel-recovery';
import { type BatchDeps } from './deps';

const CancelParamsStruct: Struct<OwnMethods['keystead_cancelRecovery']['params']> = object({
  chainId: ChainReferenceStruct,
  address: AddressStruct,
  module: AddressStruct,
});

/**
 * `keystead_getRecoveries`: the recovery modules of Safes, the recoveries that have begun, and what else there is to
 * say of them. Asks the networks.
 */
export const getRecoveries = (
  _params: unknown,
  deps: LookDeps & Pick<BatchDeps, 'accounts'>,
): Promise<readonly RecoveryEntry[]> => lookAtSafes(deps);

/**
 * `keystead_cancelRecovery`: cancels a recovery that has begun. See {@link cancelRecovery}.
 *
 * @param origin - `metamask`, or the origin of a companion page.
 */
export function cancelRecoveryOf(
  params: unknown,
  deps: BatchDeps & Pick<LookDeps, 'recoveries'>,
  origin: string,
): Promise<Hex> {
  const { chainId, address, module } = parse(CancelParamsStruct, params, 'params');
  return cancelRecovery({ address, module, chainId: toChainName(chainId), origin }, deps);
}
