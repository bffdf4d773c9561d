import { type Json } from '@metamask/snaps-sdk';

import { InternalError, InvalidParamsError, ProviderError } from '../../../core/errors';
import { isSameAddress } from '../../../core/eth/address';
import { type Hex } from '../../../core/eth/bytes';
import { type SiteMethods } from '../../../core/methods/sites';
import { AddressStruct } from '../../../core/schemas/address';
import { chainIdOf } from '../../../core/schemas/chain';
import { ListStruct, parse } from '../../../core/structs/struct';
import { type AccountEntry, assertOffers, isSmart } from '../../account/account';
import { runUnsignedRequest } from '../../account/operation-request';
import { type AccountInUse } from '../../account/repository';
import { type Requester, signRequest } from '../../account/sign-request';
import {
  ACCOUNT_METHODS,
  type AccountMethodName,
  type SigningMethodName,
  type UnsignedMethodName,
} from '../../account/methods';
import { valueAt } from '../../account/methods/account-path';
import { ORDER_OF_PARAMETERS } from '../../account/methods/personal-sign';
import { isOn, scopeOfSite } from '../network-of-site';
import { accountAt, consentFor, type Site } from '../site';
import { type Consent } from '../../wallet/dialogs';
import { type SiteMethodDeps, type RpcMethod, type SiteMethod } from './method';

/** Dapps send typed data as JSON text, wallets forward it as an object. */
function withTypedData([address, typedData, ...rest]: readonly unknown[]): unknown[] {
  if (typeof typedData !== 'string') return [address, typedData, ...rest];
  try {
    return [address, JSON.parse(typedData) as unknown, ...rest];
  } catch {
    throw new InvalidParamsError('typedData', 'must be an object, or its JSON text');
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Libraries leave out the data of a plain transfer, and use the names of `eth_sendTransaction` (`input`, `gas`). A
 * second name beside the first is left in place, and refused.
 */
function withDataAndGas([transaction, ...rest]: readonly unknown[]): unknown[] {
  if (!isObject(transaction)) return [transaction, ...rest];
  const { input, gas, ...others } = transaction;
  const data = 'data' in others ? input !== undefined && { input } : { data: input ?? '0x' };
  const gasLimit = gas !== undefined && ('gasLimit' in others ? { gas } : { gasLimit: gas });
  return [{ ...others, ...data, ...gasLimit }, ...rest];
}

/** What dapps send in other forms than wallets. */
const FROM_DAPP: Partial<Record<AccountMethodName, (list: readonly unknown[]) => unknown[]>> = {
  eth_signTypedData_v4: withTypedData,
  eth_signTransaction: withDataAndGas,
};

function listOf(name: AccountMethodName, params: unknown): readonly unknown[] {
  const list = parse(ListStruct, params, 'params');
  return FROM_DAPP[name]?.(list) ?? list;
}

/**
 * A message of 20 bytes looks like an address, so the structs accept swapped parameters.
 *
 * @throws {InvalidParamsError} If the message is an account of the site, and the address is not.
 */
function assertNotSwapped([message, address]: readonly unknown[], { accounts }: Site): void {
  if (!AddressStruct.is(message) || !AddressStruct.is(address)) return;
  const isOwn = (value: Hex) => accounts.some(({ account }) => isSameAddress(account.address, value));
  if (isOwn(message) && !isOwn(address))
    throw new InvalidParamsError('address', `must be an account of the site: ${ORDER_OF_PARAMETERS}`);
}

/**
 * The account named by the parameters. If the method names none, the site's first smart account, or else its first
 * account.
 */
function accountFor(name: AccountMethodName, params: readonly unknown[], site: Site): AccountEntry {
  const { account: path, decode } = ACCOUNT_METHODS[name];
  if (path === undefined) return site.accounts.find(isSmart) ?? site.accounts[0];
  const address = valueAt(path, params);
  if (name === 'personal_sign') assertNotSwapped(params, site);
  if (AddressStruct.is(address)) return accountAt(address, site);
  decode(params);
  throw new InternalError('Parameters without an account address passed validation.');
}

type SiteRequester = Pick<Requester, 'origin' | 'caller' | 'chainId'>;

/** Runs a request that the site may make of the account, on the network that the site is on. */
async function answer(
  name: AccountMethodName,
  params: unknown,
  site: Site,
  deps: SiteMethodDeps,
  run: (list: readonly unknown[], account: AccountInUse, requester: SiteRequester) => Promise<Json>,
): Promise<Json> {
  const list = listOf(name, params);
  const entry = accountFor(name, list, site);
  const scope = await scopeOfSite(site, deps);
  if (!isOn(entry, scope))
    throw new ProviderError(
      'chain-disconnected',
      `The account is on ${entry.account.scopes.join(', ')}, but the site is not. Call wallet_switchEthereumChain first.`,
    );
  assertOffers(entry, name, { isSite: true });
  const { origin } = site;
  const requester = { origin, caller: origin, chainId: scope === '' ? undefined : chainIdOf(scope) };
  return run(list, await deps.accounts.use(entry.account.id), requester);
}

/** An account method that signs, after asking the user. */
export const signing =
  <M extends SigningMethodName>(name: M): SiteMethod<SiteMethods[M]['result']> =>
  async (params, site, deps) => {
    let isAgreed = false;
    const onAgreed = (): void => {
      isAgreed = true;
    };
    const ask: Consent = async (content) => {
      await deps.consent(content);
      onAgreed();
    };
    const result = await answer(name, params, site, deps, (list, account, requester) => {
      const consent = consentFor(site, account.entry, deps, ask);
      return signRequest(name, ACCOUNT_METHODS[name].decode(list), account, { ...requester, consent, onAgreed }, deps);
    });
    // Only we ask the user here, so never return a signature that the user has not approved.
    if (!isAgreed) throw new InternalError('The user was not asked, so the signature was not returned.');
    return result as SiteMethods[M]['result'];
  };

/** An account method that signs nothing. */
export const readOnly =
  <M extends UnsignedMethodName>(name: M): SiteMethod<SiteMethods[M]['result']> =>
  async (params, site, deps) =>
    (await answer(name, params, site, deps, (list, { entry }, requester) =>
      runUnsignedRequest(ACCOUNT_METHODS[name].decode(list), entry, requester, deps),
    )) as SiteMethods[M]['result'];

/**
 * `eth_prepareUserOperation` without the bundler URL, which may contain an API key. Sites do not need it, because they
 * send with `wallet_sendCalls`.
 */
export const prepareWithoutBundlerUrl: RpcMethod<'eth_prepareUserOperation'> = async (...request) => {
  const details = await readOnly('eth_prepareUserOperation')(...request);
  const { bundlerUrl: _bundlerUrl, ...rest } = details as typeof details & { readonly bundlerUrl: string };
  return rest;
};
