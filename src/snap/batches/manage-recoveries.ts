import { type Hex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { ChainReferenceStruct, toChainName } from '../../core/schemas/chain';
import { object, parse } from '../../core/schemas/struct';
import { lookAtSafes } from '../accounts/look-at-safes';
import { type RecoveryEntry } from '../recoveries/repository';
import { type CancelDeps, cancelRecovery } from './cancel-recovery';

/** `origin`: `metamask`, or the origin of a companion page. */
export type RecoveryDeps = CancelDeps & { readonly origin: string };

const CancelParamsStruct = object({ chainId: ChainReferenceStruct, address: AddressStruct, module: AddressStruct });

/**
 * `keystead_getRecoveries`: the recovery modules of Safes, the recoveries that have begun, and what else there is to
 * say of them. Asks the networks.
 */
export const getRecoveries = (_params: unknown, deps: RecoveryDeps): Promise<readonly RecoveryEntry[]> =>
  lookAtSafes(deps);

/** `keystead_cancelRecovery`: cancels a recovery that has begun. See {@link cancelRecovery}. */
export function cancelRecoveryOf(params: unknown, deps: RecoveryDeps): Promise<Hex> {
  const { chainId, address, module } = parse(CancelParamsStruct, params, 'params');
  return cancelRecovery({ address, module, chainId: toChainName(chainId), origin: deps.origin }, deps);
}
