import { fromHex, toHex } from '../chain/archive/bytes';
import { FormatError } from '../chain/archive/errors';
import { type RlpItem, rlpItem } from '../chain/archive/rlp';

/** What of a request an address can be read from; the reason why not, as a text. */
type Read = readonly unknown[] | string;

const ABOUT = {
  creation: 'a call that creates a contract',
  every: 'the logs of every address',
  overrides: 'changes of the state',
  unknown: 'a method whose addresses are not known',
  transaction: 'a transaction that cannot be read',
} as const;

/** Go compares the names of fields without regard to case, and folds two letters beyond ASCII onto s and k. */
const folded = (name: string) => name.toUpperCase().toLowerCase();

/** @returns Every value that a node may take for the field, whatever the case of its name. */
function fields(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const wanted = folded(name);
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => (folded(key) === wanted ? [each] : []));
}

const isNothing = (value: unknown) => value === undefined || value === null;

const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : [value]);

/** @returns The callee of a call, and the contracts whose code its accounts get for it (EIP-7702). */
function callees(call: unknown): Read {
  const found = fields(call, 'to');
  if (found.length === 0 || found.some(isNothing)) return ABOUT.creation;
  const authorizations = fields(call, 'authorizationList').filter((each) => !isNothing(each));
  return [...found, ...authorizations.flatMap(items).flatMap(delegates)];
}

/** Without a contract that can be read, it is one that no key allows. */
function delegates(authorization: unknown): readonly unknown[] {
  const found = fields(authorization, 'address');
  return found.length === 0 ? [null] : found;
}

/** A call may bring code of its own to an allowed address, which then reads any other. */
const call = ([request, , ...overrides]: readonly unknown[]): Read =>
  overrides.every(isNothing) ? callees(request) : ABOUT.overrides;

function emitters(filter: unknown): Read {
  const found = fields(filter, 'address').flatMap((each) => (Array.isArray(each) && each.length > 0 ? each : [each]));
  const isEvery = found.length === 0 || found.some((each) => isNothing(each) || Array.isArray(each));
  return isEvery ? ABOUT.every : found;
}

/** Joins what was read from several places. */
function all(reads: readonly Read[]): Read {
  const why = reads.find((each) => typeof each === 'string');
  return why ?? reads.flat();
}

function simulated([payload]: readonly unknown[]): Read {
  const blocks = fields(payload, 'blockStateCalls').flatMap(items);
  if (blocks.some((block) => fields(block, 'stateOverrides').some((each) => !isNothing(each)))) return ABOUT.overrides;
  const calls = blocks.flatMap((block) => fields(block, 'calls').flatMap(items));
  return calls.length === 0 ? ABOUT.creation : all(calls.map(callees));
}

/** Where transactions have their recipient, by type, and their authorizations (EIP-2718, EIP-7702). */
const RECIPIENT: Readonly<Record<number, number>> = { 0: 3, 1: 4, 2: 5, 3: 5, 4: 5 };
const BLOB_TYPE = 3;
const AUTHORIZATIONS = { type: 4, at: 9 };
const FIRST_LIST = 0xc0;
const BYTES = /^0x(?:[0-9a-f]{2})+$/iu;

/** More than any block has room for. */
const MOST_AUTHORIZATIONS = 2000;

/** @returns The item of this position, found from the ones before it alone. @throws {FormatError} */
function nth(bytes: Uint8Array, { start, end }: RlpItem, position: number): RlpItem {
  let item = rlpItem(bytes, start, end);
  for (let i = 0; i < position; i += 1) item = rlpItem(bytes, item.end, end);
  return item;
}

/** @returns Undefined for an empty item. @throws {FormatError} If it is no address. */
function addressAt(bytes: Uint8Array, { list, start, end }: RlpItem): string | undefined {
  if (!list && end === start) return undefined;
  if (list || end - start !== 20) throw new FormatError('not an address');
  return toHex(bytes.subarray(start, end));
}

/** Reads no more than it needs: a transaction may consist of a million items. @throws {FormatError} */
function addressesOf(bytes: Uint8Array): (string | undefined)[] {
  const type = (bytes[0] as number) < FIRST_LIST ? (bytes[0] as number) : 0;
  let whole = rlpItem(bytes, type === 0 ? 0 : 1, bytes.length);
  // Blobs travel beside their transaction (EIP-4844).
  if (type === BLOB_TYPE && nth(bytes, whole, 0).list) whole = nth(bytes, whole, 0);
  const position = RECIPIENT[type];
  if (!whole.list || position === undefined) throw new FormatError('not a transaction');
  const found = [addressAt(bytes, nth(bytes, whole, position))];
  if (type !== AUTHORIZATIONS.type) return found;
  const list = nth(bytes, whole, AUTHORIZATIONS.at);
  for (let at = list.start; at < list.end;) {
    const authorization = rlpItem(bytes, at, list.end);
    found.push(addressAt(bytes, nth(bytes, authorization, 1)));
    at = authorization.end;
    if (found.length > MOST_AUTHORIZATIONS) throw new FormatError('too many authorizations');
  }
  return found;
}

function recipient([raw]: readonly unknown[]): Read {
  if (typeof raw !== 'string' || !BYTES.test(raw)) return ABOUT.transaction;
  try {
    const found = addressesOf(fromHex(raw));
    return found.some(isNothing) ? ABOUT.creation : found;
  } catch (error) {
    if (error instanceof FormatError) return ABOUT.transaction;
    throw error;
  }
}

/** An operation is followed by its entry point, and to be estimated by changes of the state (ERC-7769). */
function sender([operation, , ...overrides]: readonly unknown[]): Read {
  const found = fields(operation, 'sender');
  if (found.length === 0) return ABOUT.unknown;
  if (!overrides.every(isNothing)) return ABOUT.overrides;
  const authorizations = fields(operation, 'eip7702Auth').filter((each) => !isNothing(each));
  return [...found, ...authorizations.flatMap(delegates)];
}

const first = ([address]: readonly unknown[]): Read => [address];
const none = (): Read => [];
const logs = ([filter]: readonly unknown[]): Read => emitters(filter);

/** Where each method names the addresses that it is about. */
const READERS: Readonly<Record<string, (params: readonly unknown[]) => Read>> = {
  eth_call: call,
  eth_createAccessList: call,
  eth_estimateGas: call,
  eth_estimateUserOperationGas: sender,
  eth_getBalance: first,
  eth_getCode: first,
  eth_getLogs: logs,
  eth_getProof: first,
  eth_getStorageAt: first,
  eth_getTransactionCount: first,
  eth_newFilter: logs,
  eth_sendRawTransaction: recipient,
  eth_sendUserOperation: sender,
  eth_simulateV1: simulated,
  eth_subscribe: ([kind, filter]) => (kind === 'logs' ? emitters(filter) : []),
  // They name blocks, transactions, operations, filters or nothing.
  ...Object.fromEntries(
    [
      'eth_blobBaseFee',
      'eth_blockNumber',
      'eth_chainId',
      'eth_feeHistory',
      'eth_gasPrice',
      'eth_getBlockByHash',
      'eth_getBlockByNumber',
      'eth_getBlockReceipts',
      'eth_getBlockTransactionCountByHash',
      'eth_getBlockTransactionCountByNumber',
      'eth_getFilterChanges',
      'eth_getFilterLogs',
      'eth_getTransactionByBlockHashAndIndex',
      'eth_getTransactionByBlockNumberAndIndex',
      'eth_getTransactionByHash',
      'eth_getTransactionReceipt',
      'eth_getUncleByBlockHashAndIndex',
      'eth_getUncleByBlockNumberAndIndex',
      'eth_getUncleCountByBlockHash',
      'eth_getUncleCountByBlockNumber',
      'eth_getUserOperationByHash',
      'eth_getUserOperationReceipt',
      'eth_maxPriorityFeePerGas',
      'eth_newBlockFilter',
      'eth_newPendingTransactionFilter',
      'eth_supportedEntryPoints',
      'eth_syncing',
      'eth_uninstallFilter',
      'eth_unsubscribe',
      'net_listening',
      'net_peerCount',
      'net_version',
      'pimlico_getUserOperationGasPrice',
      'web3_clientVersion',
      'web3_sha3',
    ].map((method) => [method, none]),
  ),
};

const READ_BY = new Map(Object.entries(READERS));

/**
 * @param method - Name of the method.
 * @param params - As sent.
 * @returns The addresses that the request is about, none of them checked; as a text what it is about if it is not
 * certain addresses.
 */
export function addressesIn(method: string, params: unknown): Read {
  const read = READ_BY.get(method);
  return read === undefined ? ABOUT.unknown : read(Array.isArray(params) ? (params as unknown[]) : []);
}
