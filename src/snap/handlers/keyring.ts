import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';

import { MethodNotSupportedError, quoted } from '../../core/errors';
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
import { type createKeyring } from '../accounts/keyring';
import { type SubmittedRequest } from '../accounts/submit-request';

type OurKeyring = ReturnType<typeof createKeyring>;

/** A keyring method on the wire: its parameters, and the operation. */
type Operation = (keyring: OurKeyring, params: unknown) => Promise<unknown>;

const operation =
  <Params>(struct: Struct<Params>, run: (keyring: OurKeyring, params: Params) => Promise<unknown>): Operation =>
  (keyring, params) =>
    run(keyring, parse(struct, params, 'params'));

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

/**
 * The keyring API v1 (keyring-api 21.6). Its own dispatcher passes on only an error's message, and quotes
 * refused values in it; ours keeps the error and never quotes.
 */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  keyring_listAccounts: operation(NoneStruct, (keyring) => keyring.listAccounts()),
  keyring_getAccount: operation(IdStruct, (keyring, { id }) => keyring.getAccount(id)),
  keyring_createAccount: operation(object({ options: JsonObjectStruct }), (keyring, { options }) =>
    keyring.createAccount(options as Record<string, Json>),
  ),
  keyring_filterAccountChains: operation(
    object({ id: UuidStruct, chains: array(string()) }),
    (keyring, { id, chains }) => keyring.filterAccountChains(id, chains),
  ),
  keyring_updateAccount: operation(object({ account: AccountStruct }), (keyring, { account }) =>
    keyring.updateAccount(account as KeyringAccount),
  ),
  keyring_deleteAccount: operation(IdStruct, (keyring, { id }) => keyring.deleteAccount(id)),
  keyring_exportAccount: operation(IdStruct, (keyring, { id }) => keyring.exportAccount(id)),
  keyring_discoverAccounts: operation(
    object({ scopes: array(string()), entropySource: string(), groupIndex: number() }),
    (keyring, { scopes, entropySource, groupIndex }) =>
      keyring.discoverAccounts(scopes as Parameters<OurKeyring['discoverAccounts']>[0], entropySource, groupIndex),
  ),
  keyring_setSelectedAccounts: operation(object({ accounts: array(UuidStruct) }), (keyring, { accounts }) =>
    keyring.setSelectedAccounts(accounts),
  ),
  keyring_listRequests: operation(NoneStruct, (keyring) => keyring.listRequests()),
  keyring_getRequest: operation(IdStruct, (keyring, { id }) => keyring.getRequest(id)),
  keyring_approveRequest: operation(object({ id: UuidStruct, data: JsonObjectStruct }), (keyring, { id }) =>
    keyring.approveRequest(id),
  ),
  keyring_rejectRequest: operation(IdStruct, (keyring, { id }) => keyring.rejectRequest(id)),
  keyring_submitRequest: operation(RequestStruct, (keyring, request) =>
    keyring.submitRequest(request as SubmittedRequest),
  ),
};

/** The names of the keyring API v1. */
export const KEYRING_METHODS: readonly string[] = Object.keys(OPERATIONS);

/**
 * The keyring API v1 on the wire: from a JSON-RPC request to the operation and back.
 *
 * @throws {KeysteadError} Of any kind.
 */
export async function dispatchKeyringRequest(keyring: OurKeyring, { method, params }: JsonRpcRequest): Promise<Json> {
  const run = Object.hasOwn(OPERATIONS, method) ? OPERATIONS[method] : undefined;
  if (run === undefined) throw new MethodNotSupportedError(`method: the keyring does not have ${quoted(method)}`);
  return ((await run(keyring, params)) ?? null) as Json;
}
