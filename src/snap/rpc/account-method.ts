import { type Json } from '@metamask/snaps-sdk';

import { InternalError, InvalidParamsError, ProviderError } from '../../core/errors';
import { AddressStruct } from '../../core/schemas/address';
import { chainIdOf } from '../../core/schemas/chain';
import { ListStruct, parse } from '../../core/schemas/struct';
import { isSmart, type AccountEntry } from '../accounts/account';
import { assertOffers, runAccountRequest } from '../accounts/sign-request';
import { accountPathOf, decodeAccountRequest, type EoaMethod, type UserOperationMethodName } from '../methods';
import { valueAt } from '../methods/account-path';
import { isOn, scopeOfSite } from '../permissions/network-of-site';
import { accountAt, consentFor, type Site } from '../permissions/site';
import { type Consent } from '../platform/dialogs';
import { type RpcDeps } from './deps';
import { forConnected, inTurn, type RpcMethod } from './method';

type AccountMethod = EoaMethod | UserOperationMethodName;

/** Dapps send typed data as JSON text; wallets hand it on as an object. */
function withTypedData([address, typedData, ...rest]: readonly unknown[]): unknown[] {
  if (typeof typedData !== 'string') return [address, typedData, ...rest];
  try {
    return [address, JSON.parse(typedData) as unknown, ...rest];
  } catch {
    throw new InvalidParamsError('typedData', 'must be an object, or the JSON of one');
  }
}

function listOf(name: AccountMethod, params: unknown): readonly unknown[] {
  const list = parse(ListStruct, params, 'params');
  return name === 'eth_signTypedData_v4' ? withTypedData(list) : list;
}

/** The account that the parameters name; for a method that names none, the site's first smart account, or else its first. */
function accountFor(name: AccountMethod, params: readonly unknown[], site: Site): AccountEntry {
  const path = accountPathOf(name);
  if (path === undefined) return site.accounts.find(isSmart) ?? site.accounts[0];
  const address = valueAt(path, params);
  if (AddressStruct.is(address)) return accountAt(address, site);
  decodeAccountRequest(name, params);
  throw new InternalError('Parameters without the address of an account were taken for valid.');
}

async function answer(
  name: AccountMethod,
  params: unknown,
  site: Site,
  deps: RpcDeps,
  consent: Consent,
): Promise<Json> {
  const list = listOf(name, params);
  const stored = accountFor(name, list, site);
  const scope = await scopeOfSite(site, deps);
  if (!isOn(stored, scope))
    throw new ProviderError(
      'chain-disconnected',
      `The account is on ${stored.account.scopes.join(', ')}; the site is not. Call wallet_switchEthereumChain first.`,
    );
  assertOffers(stored, name);
  const requester = {
    origin: site.origin,
    caller: site.origin,
    chainId: scope === '' ? undefined : chainIdOf(scope),
  };
  const account = await deps.accounts.use(stored.account.id);
  return runAccountRequest(decodeAccountRequest(name, list), account, requester, {
    ...deps,
    consent: consentFor(site, stored, { ...deps, consent }),
  });
}

/** An account method that signs: the person is asked. */
export const signing = (name: AccountMethod): RpcMethod =>
  inTurn(async (params, site, deps) => {
    let isAgreed = false;
    const result = await answer(name, params, site, deps, async (content) => {
      await deps.consent(content);
      isAgreed = true;
    });
    // Nobody but us asks the person here: whatever the method did, a signature that was not agreed to is not handed out.
    if (!isAgreed) throw new InternalError('The person was not asked. The signature was not handed out.');
    return result;
  });

/** An account method that only looks things up. */
export const looking = (name: AccountMethod): RpcMethod<Json> =>
  forConnected((params, site, deps) => answer(name, params, site, deps, deps.consent));

/**
 * `eth_prepareUserOperation` without the bundler's URL, which may contain an API key and which only the sender of the
 * operation needs: sites send with `wallet_sendCalls`.
 */
export const preparing: RpcMethod = async (params, origin, deps) => {
  const details = (await looking('eth_prepareUserOperation')(params, origin, deps)) as Record<string, Json>;
  const { bundlerUrl: _bundlerUrl, ...rest } = details;
  return rest;
};
