import { type Json } from '@metamask/snaps-sdk';

import { InvalidParamsError, ProviderError } from '../../core/errors';
import { isSmart, type AccountEntry } from '../accounts/account';
import {
  type EoaMethod,
  isEoaMethod,
  METHODS,
  USER_OPERATION_METHODS,
  type UserOperationMethodName,
} from '../methods';
import { AddressStruct } from '../../core/schemas/address';
import { ListStruct, parse } from '../../core/schemas/struct';
import { UserOperationDetailsStruct } from '../../core/schemas/user-operation';
import { isOn, scopeOfSite } from '../permissions/network-of-site';
import { accountAt, type Site } from '../permissions/site';
import { askAccount } from './sign';
import { type DoorMethod, forConnected, inTurn } from './method';

type AccountMethod = EoaMethod | UserOperationMethodName;

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** Where each method's parameters name the account; undefined: nowhere. */
const ADDRESS_IN: Readonly<Record<AccountMethod, ((params: readonly unknown[]) => unknown) | undefined>> = {
  personal_sign: ([, address]) => address,
  eth_signTypedData_v4: ([address]) => address,
  eth_signTransaction: ([transaction]) => memberOf(transaction, 'from'),
  eth_patchUserOperation: ([operation]) => memberOf(operation, 'sender'),
  eth_signUserOperation: ([operation]) => memberOf(operation, 'sender'),
  eth_prepareUserOperation: undefined,
  eth_decodeUserOperationCallData: undefined,
};

/** What is wrong with the parameters, which name no account. */
function refuse(name: AccountMethod, params: readonly unknown[]): never {
  if (isEoaMethod(name)) METHODS[name].prepare(params);
  else USER_OPERATION_METHODS[name].prepare(params);
  throw new InvalidParamsError('params', 'must name the account');
}

/** The account that a request is for; where it names none, the site's first that has the method. */
function accountFor(name: AccountMethod, params: readonly unknown[], site: Site): AccountEntry {
  const addressIn = ADDRESS_IN[name];
  if (addressIn === undefined) return site.granted.find(isSmart) ?? site.granted[0];
  const address = addressIn(params);
  return AddressStruct.is(address) ? accountAt(address, site) : refuse(name, params);
}

/** Dapps send typed data as the text of its JSON; wallets hand it on as an object. */
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

const answer = (name: AccountMethod, signs: boolean) => async (params: unknown, site: Site) => {
  const list = listOf(name, params);
  const stored = accountFor(name, list, site);
  const scope = await scopeOfSite(site);
  if (!isOn(stored, scope))
    throw new ProviderError(
      'chain-disconnected',
      `The account is on ${stored.account.scopes.join(', ')}; the site is not. Call wallet_switchEthereumChain first.`,
    );
  return askAccount(stored, { method: name, signs, params: list as Json[], scope }, site);
};

/** An account method that signs: the person is asked. */
export const signing = (name: AccountMethod): DoorMethod => inTurn(answer(name, true));

/** An account method that only looks things up. */
export const looking = (name: AccountMethod): DoorMethod => forConnected(answer(name, false));

/**
 * `eth_prepareUserOperation` without the bundler's address, which only who sends the operation needs, and which
 * may hold a key: a site sends with `wallet_sendCalls`.
 */
export const preparing: DoorMethod = forConnected(async (params, site) => {
  const answered = await answer('eth_prepareUserOperation', false)(params, site);
  const { bundlerUrl: _bundlerUrl, ...details } = parse(UserOperationDetailsStruct, answered, 'operation');
  return details;
});
