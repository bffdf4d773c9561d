import type { CaipChainId, KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { isSameAddress } from '../../core/eth/address';
import { AddressStruct } from '../../core/schemas/address';
import { isKeyringMethod, type KeyringMethodName, type OwnMethods } from '../../core/methods/own';
import { MethodNotSupportedError, NotFoundError, quoted } from '../../core/errors';
import { OriginMetadataStruct } from '../../core/schemas/origin-metadata';
import { noAccount, unlessDamaged } from '../account/repository';
import {
  array,
  exactOptional,
  literal,
  membersOf,
  nullable,
  number,
  object,
  optional,
  parse,
  string,
  type Struct,
  type,
  union,
  unknown,
} from '../../core/structs/struct';
import { UuidStruct } from '../account/account';
import { createAccount } from '../account/create-account';
import { deleteAccount } from '../account/delete-account';
import { type AccountDeps, type CreationDeps } from '../account/deps';
import { discoverAccounts } from '../account/discover-accounts';
import { exportAccount } from '../account/export-account';
import { type SubmittedRequest, submitRequest } from '../account/submit-request';
import { ACCOUNT_METHODS, isAccountMethod } from '../account/methods';
import { valueAt } from '../account/methods/account-path';
import { updateAccount } from '../account/update-account';

/** Validates the parameters of a keyring method and runs it. */
const operation =
  <Params, Result>(
    struct: Struct<Params>,
    run: (params: Params, deps: AccountDeps, origin: string) => Promise<Result>,
  ): ((params: unknown, deps: AccountDeps, origin: string) => Promise<Result>) =>
  (params, deps, origin) =>
    run(parse(struct, params, 'params'), deps, origin);

const NoneStruct = optional(union([object({}), array(literal(undefined))], 'must be omitted or empty'));
const IdStruct = object({ id: UuidStruct });
const JsonObjectStruct = membersOf(unknown());

/** The shape of an account. Its values are compared with the stored account, of which only the label may change. */
const AccountStruct = object({
  id: UuidStruct,
  type: string(),
  address: string(),
  scopes: array(string()),
  options: JsonObjectStruct,
  methods: array(string()),
});

const RequestStruct = object({
  id: UuidStruct,
  /** Validated later, once the chain is known. It may be '' or in the dapp's own format. */
  scope: string(),
  account: UuidStruct,
  /** `metamask` for EVM requests. Wallets with an older platform than the manifest asks for do not send it. */
  origin: optional(string()),
  originMetadata: optional(nullable(OriginMetadataStruct)),
  request: object({
    method: string(),
    params: exactOptional(union([array(unknown()), JsonObjectStruct], 'must be a list or an object')),
  }),
});

const EVM_CHAIN = /^eip155:(?:0|[1-9][0-9]{0,31})$/u;

/** An externally owned account is on every chain, a smart account on the chains it was created for. */
async function filterAccountChains(id: string, chains: readonly string[], { accounts }: Pick<AccountDeps, 'accounts'>) {
  const { account } = await accounts.get(id);
  return chains.filter((chain) =>
    account.type === 'eip155:eoa' ? EVM_CHAIN.test(chain) : (account.scopes as string[]).includes(chain),
  );
}

/** Only validates the ids. The selected accounts do not affect signing, so nothing is stored. */
async function setSelectedAccounts(ids: readonly string[], { accounts }: Pick<AccountDeps, 'accounts'>): Promise<void> {
  const known = new Set((await accounts.entries()).map(({ account }) => account.id));
  ids.forEach((id, index) => {
    if (!known.has(id)) throw noAccount(`params.accounts[${index}]`);
  });
}

/**
 * MetaMask asks which account signs a request that does not name it to the wallet.
 *
 * @returns The account that the parameters name; null if they name none of Keystead's.
 */
async function resolveAccountAddress(
  scope: string,
  { method, params }: { readonly method: string; readonly params?: unknown },
  { accounts }: Pick<AccountDeps, 'accounts'>,
) {
  const path = isAccountMethod(method) ? ACCOUNT_METHODS[method].account : undefined;
  const address = path && Array.isArray(params) ? valueAt(path, params) : undefined;
  if (!EVM_CHAIN.test(scope) || !AddressStruct.is(address)) return null;
  const found = (await accounts.entries()).find(({ account }) => isSameAddress(account.address, address));
  return found === undefined ? null : { address: `${scope}:${found.account.address}` };
}

/**
 * Creates an account. If a page asks that is connected, it may use a new one without another dialog: only Keystead's
 * own pages get here, and the user has just approved the account. One that was there before stays as the user chose.
 */
async function createForPage(
  { options }: { readonly options: unknown },
  deps: CreationDeps & Pick<AccountDeps, 'permissions'>,
  origin: string,
): Promise<KeyringAccount> {
  if (origin === 'metamask') return createAccount(options, deps, origin);
  const before = await unlessDamaged(deps.accounts.entries(), []);
  const created = await createAccount(options, deps, origin);
  if (!before.some(({ account, announced }) => announced && account.id === created.id))
    await deps.mutations.runExclusive(() => deps.permissions.addAccount(origin, created.id));
  return created;
}

/** Every request is answered immediately, so no request is ever pending. */
const nonePending = (): Promise<never> =>
  Promise.reject(
    new NotFoundError('request: no request is pending, because Keystead answers every request immediately'),
  );

/**
 * The handlers of the keyring API v1 (keyring-api 21.6). MetaMask's own dispatcher keeps only the error message and
 * quotes rejected values in it. This one keeps the whole error and never quotes values.
 */
export const KEYRING_HANDLERS: {
  readonly [M in KeyringMethodName]: (
    params: unknown,
    deps: AccountDeps,
    origin: string,
  ) => Promise<OwnMethods[M]['result']> | (null extends OwnMethods[M]['result'] ? Promise<void> : never);
} = {
  keyring_listAccounts: operation(NoneStruct, async (_none, { accounts }) =>
    (await accounts.entries()).map(({ account }) => account),
  ),
  keyring_getAccount: operation(IdStruct, async ({ id }, { accounts }) => (await accounts.get(id)).account),
  keyring_createAccount: operation(object({ options: JsonObjectStruct }), createForPage),
  keyring_filterAccountChains: operation(object({ id: UuidStruct, chains: array(string()) }), ({ id, chains }, deps) =>
    filterAccountChains(id, chains, deps),
  ),
  keyring_updateAccount: operation(object({ account: AccountStruct }), ({ account }, deps) =>
    updateAccount(account as KeyringAccount, deps),
  ),
  keyring_deleteAccount: operation(IdStruct, ({ id }, deps, origin) => deleteAccount(id, deps, origin)),
  keyring_exportAccount: operation(IdStruct, ({ id }, deps, origin) => exportAccount(id, deps, origin)),
  keyring_discoverAccounts: operation(
    object({ scopes: array(string()), entropySource: string(), groupIndex: number() }),
    ({ scopes, groupIndex }, deps) => discoverAccounts(scopes as CaipChainId[], groupIndex, deps),
  ),
  keyring_setSelectedAccounts: operation(object({ accounts: array(UuidStruct) }), ({ accounts }, deps) =>
    setSelectedAccounts(accounts, deps),
  ),
  keyring_resolveAccountAddress: operation(
    object({ scope: string(), request: type({ method: string(), params: exactOptional(unknown()) }) }),
    ({ scope, request }, deps) => resolveAccountAddress(scope, request, deps),
  ),
  keyring_listRequests: operation(NoneStruct, () => Promise.resolve([])),
  keyring_getRequest: operation(IdStruct, nonePending),
  keyring_approveRequest: operation(object({ id: UuidStruct, data: JsonObjectStruct }), nonePending),
  keyring_rejectRequest: operation(IdStruct, nonePending),
  keyring_submitRequest: operation(RequestStruct, (request, deps, origin) =>
    submitRequest(request as SubmittedRequest, deps, origin),
  ),
};

/**
 * Handles a request of the keyring API v1.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @throws {KeysteadError} If the request fails.
 */
export async function answerKeyringRequest(
  { method, params }: { readonly method: string; readonly params?: unknown },
  deps: AccountDeps,
  origin: string,
): Promise<Json> {
  if (!isKeyringMethod(method))
    throw new MethodNotSupportedError(`method: the keyring does not support ${quoted(method)}`);
  return ((await KEYRING_HANDLERS[method](params, deps, origin)) ?? null) as Json;
}
