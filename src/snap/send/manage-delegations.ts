import { type SigningDeps } from '../account/deps';
import { type Hex } from '../../core/eth/bytes';
import { type Delegation } from '../../core/methods/results';
import { toChainName } from '../../core/schemas/chain';
import { DelegateParamsStruct } from '../../core/schemas/delegate';
import { parse } from '../../core/structs/struct';
import { isSmart } from '../account/account';
import { findDelegations } from '../account/delegations/find-delegations';
import { type BatchDeps } from './deps';
import { takeBack } from './take-back';

/**
 * `keystead_getDelegations`: what externally owned accounts are delegated to on the networks that are set up
 * (EIP-7702).
 */
export async function getDelegations(
  _params: unknown,
  { accounts, chains, delegates }: Pick<BatchDeps, 'accounts' | 'chains' | 'delegates'>,
): Promise<Delegation[]> {
  const [entries, configured] = await Promise.all([accounts.entries(), chains.list()]);
  const eoas = entries.flatMap((entry) => (isSmart(entry) ? [] : [entry.account.address]));
  return findDelegations(eoas, configured, delegates);
}

/**
 * `keystead_takeBackDelegation`: takes the delegation of an account back on a network. See {@link takeBack}.
 *
 * @param origin - `metamask`, or the origin of a companion page.
 */
export async function takeBackDelegation(
  params: unknown,
  deps: SigningDeps & Pick<BatchDeps, 'batches' | 'consent' | 'onApproved' | 'scheduleLookUp'>,
  origin: string,
): Promise<Hex | null> {
  const { chainId, address } = parse(DelegateParamsStruct, params, 'params');
  return (await takeBack({ address, chainId: toChainName(chainId), origin }, deps)) ?? null;
}
