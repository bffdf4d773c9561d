import type { CaipChainId, KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { MethodNotSupportedError, NotFoundError, quoted } from '../../core/errors';
import {
  array,
  exactOptional,
  literal,
  matching,
  membersOf,
  nullable,
  number,
  object,
  optional,
  parse,
  string,
  type Struct,
  union,
  unknown,
} from '../../core/schemas/struct';
import { UuidStruct } from '../accounts/account';
import { createAccount } from '../accounts/create-account';
import { deleteAccount } from '../accounts/delete-account';
import { type AccountDeps } from '../accounts/deps';
import { discoverAccounts } from '../accounts/discover-accounts';
import { exportAccount } from '../accounts/export-account';
import { type SubmittedRequest, submitRequest } from '../accounts/submit-request';
import { updateAccount } from '../accounts/update-account';

/** A keyring method on the wire: checks its parameters, and runs. */
type Operation = (params: unknown, deps: AccountDeps) => Promise<unknown>;

const operation =
  <Params>(struct: Struct<Params>, run: (params: Params, deps: AccountDeps) => Promise<unknown>): Operation =>
  (params, deps) =>
    run(parse(struct, params, 'params'), deps);

const NoneStruct = optional(union([object({}), array(literal(undefined))], 'must be left out, or be empty'));
const IdStruct = object({ id: UuidStruct });
const JsonObjectStruct = membersOf(unknown());

/** What the account must be, the stored one says: it may change in one thing only. */
const AccountStruct = object({
  id: UuidStruct,
  type: string(),
  address: string(),
  scopes: array(string()),
  options: JsonObjectStruct,
  methods: array(string()),
});

/**
 * Sent from platform version 12 on, where the wallet cannot verify who asks: what the dapp says of itself. It is shown as
 * that, and nothing is decided by it. The wallet bounds neither text.
 */
const OriginMetadataStruct = object({
  transport: matching('must be a text of at most 100 characters', /^.{0,100}$/su),
  selfReportedOrigin: matching('must be a text of at most 2,048 characters', /^.{0,2048}$/su),
});

const RequestStruct = object({
  id: UuidStruct,
  /** Checked where the chain is known: '' and a dapp's own spelling occur. */
  scope: string(),
  account: UuidStruct,
  /** `metamask` for EVM requests; the wallet sends it from platform version 7 on. */
  origin: string(),
  originMetadata: optional(nullable(OriginMetadataStruct)),
  request: object({
    method: string(),
    params: exactOptional(union([array(unknown()), JsonObjectStruct], 'must be a list or an object')),
  }),
});

const EVM_CHAIN = /^eip155:(?:0|[1-9][0-9]{0,31})$/u;

/** An externally owned account is on every chain; a smart account on those it was created for. */
async function filterAccountChains(id: string, chains: readonly string[], { accounts }: AccountDeps) {
  const { account } = await accounts.get(id);
  return chains.filter((chain) =>
    account.type === 'eip155:eoa' ? EVM_CHAIN.test(chain) : (account.scopes as string[]).includes(chain),
  );
}

/** Stores nothing: which accounts the wallet has selected makes no difference to what is signed. */
async function setSelectedAccounts(ids: readonly string[], { accounts }: AccountDeps): Promise<void> {
  const known = new Set((await accounts.entries()).map(({ account }) => account.id));
  ids.forEach((id, index) => {
    if (!known.has(id)) throw new NotFoundError(`params.accounts[${index}]: no account of Keystead has this id`);
  });
}

/** Every request is answered at once, so there is never one to look at, approve or reject. */
const nonePending = (): Promise<never> =>
  Promise.reject(new NotFoundError('request: none is pending, since each is answered at once'));

/**
 * The keyring API v1 (keyring-api 21.6). Its own dispatcher passes on only an error's message, and quotes
 * refused values in it; ours keeps the error and never quotes.
 */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  keyring_listAccounts: operation(NoneStruct, async (_none, { accounts }) =>
    (await accounts.entries()).map(({ account }) => account),
  ),
  keyring_getAccount: operation(IdStruct, async ({ id }, { accounts }) => (await accounts.get(id)).account),
  keyring_createAccount: operation(object({ options: JsonObjectStruct }), ({ options }, deps) =>
    createAccount(options, deps),
  ),
  keyring_filterAccountChains: operation(object({ id: UuidStruct, chains: array(string()) }), ({ id, chains }, deps) =>
    filterAccountChains(id, chains, deps),
  ),
  keyring_updateAccount: operation(object({ account: AccountStruct }), ({ account }, deps) =>
    updateAccount(account as KeyringAccount, deps),
  ),
  keyring_deleteAccount: operation(IdStruct, ({ id }, deps) => deleteAccount(id, deps)),
  keyring_exportAccount: operation(IdStruct, ({ id }, deps) => exportAccount(id, deps)),
  keyring_discoverAccounts: operation(
    object({ scopes: array(string()), entropySource: string(), groupIndex: number() }),
    ({ scopes, groupIndex }, deps) => discoverAccounts(scopes as CaipChainId[], groupIndex, deps),
  ),
  keyring_setSelectedAccounts: operation(object({ accounts: array(UuidStruct) }), ({ accounts }, deps) =>
    setSelectedAccounts(accounts, deps),
  ),
  keyring_listRequests: operation(NoneStruct, () => Promise.resolve([])),
  keyring_getRequest: operation(IdStruct, nonePending),
  keyring_approveRequest: operation(object({ id: UuidStruct, data: JsonObjectStruct }), nonePending),
  keyring_rejectRequest: operation(IdStruct, nonePending),
  keyring_submitRequest: operation(RequestStruct, (request, deps) => submitRequest(request as SubmittedRequest, deps)),
};

/** The names of the keyring API v1. */
export const KEYRING_METHODS: readonly string[] = Object.keys(OPERATIONS);

/**
 * Answers a request of the keyring API v1.
 *
 * @throws {KeysteadError} Of any kind.
 */
export async function answerKeyringRequest(
  { method, params }: { readonly method: string; readonly params?: unknown },
  deps: AccountDeps,
): Promise<Json> {
  const run = Object.hasOwn(OPERATIONS, method) ? OPERATIONS[method] : undefined;
  if (run === undefined) throw new MethodNotSupportedError(`method: the keyring does not have ${quoted(method)}`);
  return ((await run(params, deps)) ?? null) as Json;
}
