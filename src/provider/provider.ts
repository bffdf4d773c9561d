import { type Hex } from '../core/eth/bytes';
import { isWithin } from '../core/schemas/depth';
import { Emitter } from './emitter';
import { toNode } from './nodes';
import { checkOptions, type KeysteadOptions, toChainId } from './options';
import { pageOf } from './page';
import { CHANGES_STATE, CONNECTS, type Route, routeOf } from './routes';
import { CODES, ProviderRpcError, toProviderRpcError } from './rpc-error';
import { Session } from './session';
import { turns } from './turns';
import { type KeysteadProvider, type ProviderEvents, type RequestArguments } from './types';

const NOT_CONNECTED = 'This page is not connected to Keystead: call eth_requestAccounts first.';

/** What is so without the snap. */
const UNCONNECTED = new Map<string, (chainId: Hex) => unknown>([
  ['eth_accounts', () => []],
  ['eth_chainId', (chainId) => chainId],
  ['wallet_getPermissions', () => []],
]);

/** A user operation that was not included for long was sent under its own hash: only the snap knows it by that. */
const BY_HASH: ReadonlySet<string> = new Set(['eth_getTransactionByHash', 'eth_getTransactionReceipt']);

/** Levels of lists and objects. The snap takes fewer of everything; wallets fail on some thousand. */
const MAX_DEPTH = 128;

/** @returns The request as JSON carries it: members that are undefined are not there. */
function asJson(args: RequestArguments): RequestArguments {
  if (typeof args !== 'object' || args === null)
    throw new ProviderRpcError(CODES.invalidParams, 'The request must be an object with a method.');
  const { method, params } = args;
  if (typeof method !== 'string') throw new ProviderRpcError(CODES.invalidParams, 'method: must be a string');
  if (params === undefined) return { method };
  if (!isWithin(MAX_DEPTH, params))
    throw new ProviderRpcError(CODES.invalidParams, `params: must be at most ${MAX_DEPTH} levels deep`);
  try {
    return { method, params: JSON.parse(JSON.stringify(params)) as object };
  } catch {
    throw new ProviderRpcError(CODES.invalidParams, 'params: must be JSON; a bigint is written as a hex string');
  }
}

/**
 * A provider (EIP-1193) of the Keystead accounts that the person connects to this page. It does nothing until it is
 * asked, and only `eth_requestAccounts` and `wallet_requestPermissions` install the snap. Requests that the person may
 * have to answer are made one after the other.
 *
 * @throws {InvalidParamsError} If there is no such option, a node's URL is none that may be used, or a chain id is none.
 */
export function createKeysteadProvider(options: KeysteadOptions = {}): KeysteadProvider {
  checkOptions(options);
  const nodes = new Map(
    Object.entries(options.nodes ?? {}).map(([id, node]) => [toChainId('nodes', id), toNode(node)]),
  );
  const [firstOfNodes = 1n] = nodes.keys();
  const firstChain = options.chainId === undefined ? firstOfNodes : toChainId('chainId', options.chainId);
  const inTurn = turns();

  const onMessage = (message: ProviderEvents['message']): void => {
    events.emit('message', message);
  };
  // The snap cannot call a page: a page that comes back looks whether the person changed something meanwhile.
  const onFocus = (): void => {
    void session.refresh();
  };
  const watched = new Set<string>();
  const events = new Emitter((event, used) => {
    if (event === 'message') {
      for (const node of nodes.values()) node[used ? 'on' : 'removeListener']?.('message', onMessage);
      return;
    }
    if (used) watched.add(event);
    else watched.delete(event);
    pageOf()?.[watched.size > 0 ? 'addEventListener' : 'removeEventListener']('focus', onFocus);
  });
  const session = new Session(options, `0x${firstChain.toString(16)}`, events);

  const askSnap = async (request: RequestArguments, route: Route): Promise<unknown> => {
    const { method } = request;
    if (CONNECTS.has(method)) await session.connect();
    else if (!(await session.reach())) {
      const known = UNCONNECTED.get(method);
      if (known !== undefined) return known(session.chainId);
      throw new ProviderRpcError(route === 'node' ? CODES.disconnected : CODES.unauthorized, NOT_CONNECTED);
    }
    const result = await session.ask(request);
    if (CHANGES_STATE.has(method)) await session.refresh();
    return result;
  };

  let looked: Promise<unknown> | undefined;
  const askNode = async (request: RequestArguments): Promise<unknown> => {
    // Which chain this page is on, the snap knows, if it is there.
    await (looked ??= session.reach().catch(() => false));
    const node = nodes.get(BigInt(session.chainId));
    if (node === undefined) return askSnap(request, 'node');
    const result = await node.request(request);
    if (result !== null || !BY_HASH.has(request.method)) return result;
    return askSnap(request, 'node').catch(() => null);
  };

  const answer = async (request: RequestArguments): Promise<unknown> => {
    const route = routeOf(request.method);
    if (route === 'person') return inTurn(() => askSnap(request, route));
    return route === 'node' && nodes.size > 0 ? askNode(request) : askSnap(request, route);
  };

  let connecting: Promise<unknown> | undefined;
  const request = async (args: RequestArguments): Promise<unknown> => {
    try {
      const asked = asJson(args);
      if (asked.method !== 'eth_requestAccounts') return await answer(asked);
      // Who asks twice to connect has one dialog to answer.
      connecting ??= answer(asked).finally(() => {
        connecting = undefined;
      });
      return await connecting;
    } catch (error) {
      throw toProviderRpcError(error);
    }
  };

  const provider: KeysteadProvider = Object.freeze({
    request: request as KeysteadProvider['request'],
    on: (event, listener) => {
      events.on(event, listener);
      return provider;
    },
    removeListener: (event, listener) => {
      events.removeListener(event, listener);
      return provider;
    },
  } satisfies KeysteadProvider);
  return provider;
}
