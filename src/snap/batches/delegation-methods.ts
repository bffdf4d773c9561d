import { type Json } from '@metamask/snaps-sdk';

import { toChainName } from '../../core/schemas/chain';
import { DelegateParamsStruct } from '../../core/schemas/delegate';
import { parse } from '../../core/schemas/struct';
import { isSmart } from '../accounts/account';
import { type SigningDeps } from '../accounts/sign-request';
import { findDelegations, type FoundDelegation } from '../delegations/find-delegations';
import { takeBack } from './take-back';

/** `origin`: `metamask`, or the origin of a companion page. */
type DelegationDeps = SigningDeps & { readonly origin: string };

export type DelegationMethodName = 'keystead_getDelegations' | 'keystead_takeBackDelegation';

/** `keystead_getDelegations`: what externally owned accounts are delegated to on the networks that are set up (EIP-7702). */
async function getDelegations({ accounts, chains, delegates }: SigningDeps): Promise<FoundDelegation[]> {
  const [entries, configured] = await Promise.all([accounts.entries(), chains.list()]);
  const eoas = entries.flatMap((entry) => (isSmart(entry) ? [] : [entry.account.address]));
  return findDelegations(eoas, configured, delegates);
}

/** `keystead_takeBackDelegation`: takes the delegation of an account back on a network. See {@link takeBack}. */
async function takeBackDelegation(params: unknown, deps: DelegationDeps): Promise<string | null> {
  const { chainId, address } = parse(DelegateParamsStruct, params, 'params');
  return (await takeBack({ address, chainId: toChainName(chainId), origin: deps.origin }, deps)) ?? null;
}

/** The methods that manage delegations. A name without a handler does not compile. */
export const DELEGATION_METHODS: Readonly<
  Record<DelegationMethodName, (params: unknown, deps: DelegationDeps) => Promise<unknown>>
> = {
  keystead_getDelegations: (_params, deps) => getDelegations(deps),
  keystead_takeBackDelegation: takeBackDelegation,
};

/** @returns Whether the table has this method. Only own properties count. */
export const isDelegationMethod = (name: string): name is DelegationMethodName =>
  Object.hasOwn(DELEGATION_METHODS, name);

/** Runs a method that manages delegations. */
export const answerDelegationMethod = async (
  name: DelegationMethodName,
  params: unknown,
  deps: DelegationDeps,
): Promise<Json> => (await DELEGATION_METHODS[name](params, deps)) as Json;
