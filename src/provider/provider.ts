import { Mutex } from '../core/mutex';
import { isWithin } from '../core/schemas/json-rpc';
import { Emitter } from './emitter';
import { legacyMethods } from './legacy';
import { decimalOf, type Known, notOfNode, type Traits, traitsOf } from './method-table';
import { toNode } from './nodes';
import { checkOptions, type KeysteadOptions, toChainId } from './options';
import { getPage } from './page';
import { CODES, ProviderRpcError, toProviderRpcError } from './rpc-error';
import { Session } from './session';
import { type KeysteadProvider, type ProviderEvents, type RequestArguments } from './types';

const NOT_CONNECTED = 'This site is not connected to Keystead. Call eth_requestAccounts first.';

/** Levels of lists and objects. No method of the snap takes as many, and wallets fail at some thousands. */
const MAX_DEPTH = 128;

/** The events that report messages of the nodes. */
const MESSAGES = ['message', 'notification'] as const;

/** @returns Whether an error is one of the snap's own, by its stable name. */
const isCode = (error: unknown, code: string): boolean =>
  (error as { readonly data?: { readonly code?: unknown } }).data?.code === code;

/** Milliseconds until the snap is asked again for a signature that other owners of the account must give, too. */
const ASK_AGAIN = 5000;

/** @returns A function that calls `set` whenever its argument changes; false at first. */
function onChange(set: (value: boolean) => void): (value: boolean) => void {
  let before = false;
  return (value) => {
    if (value !== before) set(value);
    before = value;
  };
}

/** @returns The request as plain JSON, without undefined members. @throws {ProviderRpcError} -32602 */
function toJsonRequest(args: RequestArguments): RequestArguments {
  if (typeof args !== 'object' || args === null)
    throw new ProviderRpcError(CODES.invalidParams, 'The request must be an object with a method.');
  const { method, params } = args;
  if (typeof method !== 'string') throw new ProviderRpcError(CODES.invalidParams, 'method: must be a string');
  if (params === undefined || params === null) return { method };
  if (!isWithin(MAX_DEPTH, params))
    throw new ProviderRpcError(CODES.invalidParams, `params: must be at most ${MAX_DEPTH} levels deep`);
  try {
    return { method, params: JSON.parse(JSON.stringify(params)) as object };
  } catch {
    throw new ProviderRpcError(CODES.invalidParams, 'params: must be JSON; write a bigint as a hex string');
  }
}

/**
 * Creates an EIP-1193 provider for the Keystead accounts that the person connects to this page.
 *
 * Creating it contacts nobody. Only the methods that connect the page or add a network install the snap. Requests that
 * may open a dialog run one after another; all others run at once.
 *
 * @param options - See {@link KeysteadOptions}.
 * @returns The provider, which viem, wagmi and ethers accept as it is.
 * @throws {InvalidParamsError} If an option is unknown, or a snap id, a node's URL or a chain id is invalid.
 * @see https://eips.ethereum.org/EIPS/eip-1193
 * @example
 * import { createKeysteadProvider } from 'keystead/provider';
 *
 * const provider = createKeysteadProvider();
 * const [account] = await provider.request({ method: 'eth_requestAccounts' });
 * if (account === undefined) throw new Error('No account is connected.');
 * const signature = await provider.request({
 *   method: 'personal_sign',
 *   params: ['0x48656c6c6f', account], // "Hello"
 * });
 */
export function createKeysteadProvider(options: KeysteadOptions = {}): KeysteadProvider {
  checkOptions(options);
  const nodes = new Map(
    Object.entries(options.nodes ?? {}).map(([id, node]) => [toChainId('nodes', id), toNode(node)]),
  );
  const [firstNodeChain = 1n] = nodes.keys();
  const firstChain = options.chainId === undefined ? firstNodeChain : toChainId('chainId', options.chainId);
  const inLine = new Mutex();

  const onMessage = (message: ProviderEvents['message']): void => {
    events.emit('message', message);
    events.emit('notification', message.data);
  };
  const followNodes = onChange((isOn) => {
    for (const node of nodes.values()) node[isOn ? 'on' : 'removeListener']?.('message', onMessage);
  });
  // The snap cannot notify a page, so a page that gets the focus checks whether the person changed something meanwhile.
  const onFocus = (): void => {
    void session.refresh();
  };
  const followFocus = onChange((isOn) => {
    getPage()?.[isOn ? 'addEventListener' : 'removeEventListener']('focus', onFocus);
  });
  const events = new Emitter((used) => {
    const fromNodes = MESSAGES.filter((event) => used.has(event)).length;
    followNodes(fromNodes > 0);
    followFocus(used.size > fromNodes);
  });
  const session = new Session(options, `0x${firstChain.toString(16)}`, events);

  const known = (): Known => ({ chainId: session.chainId, accounts: session.accounts });

  const requestSnap = async (request: RequestArguments, traits: Traits): Promise<unknown> => {
    if (traits.connects) await session.connect();
    else if (!(await session.attach())) {
      if (traits.known !== undefined) return traits.known(known());
      if (traits.unconnected !== undefined) return traits.unconnected();
      throw new ProviderRpcError(traits.to === 'node' ? CODES.disconnected : CODES.unauthorized, NOT_CONNECTED);
    }
    const [method = request.method, read] = traits.from ?? [];
    const result = await session.request({ ...request, method }).catch((error: unknown) => {
      // Libraries connect to an account only with its network. Without one, the snap has the code of a lost wallet.
      if (traits.known && isCode(error, 'disconnected')) return traits.known(known());
      throw error;
    });
    if (traits.changesSite) await session.refresh();
    return read === undefined ? result : read(result);
  };

  let attaching: Promise<unknown> | undefined;
  const requestNode = async (request: RequestArguments, traits: Traits): Promise<unknown> => {
    // If the snap is available, it decides which chain this page is on.
    if (nodes.size > 0) await (attaching ??= session.attach().catch(() => false));
    const node = nodes.get(BigInt(session.chainId));
    if (node !== undefined) {
      const result = await node.request(request);
      if (result !== null || traits.mayBeOperation !== true) return result;
      return requestSnap(request, traits).catch(() => null);
    }
    if (traits.needsNode) throw notOfNode(request.method);
    return requestSnap(request, traits).catch((error: unknown) => {
      const isUnknown = toProviderRpcError(error).code === CODES.unsupportedMethod;
      throw isUnknown ? notOfNode(request.method) : error;
    });
  };

  const dispatchOnce = async (request: RequestArguments): Promise<unknown> => {
    const traits = traitsOf(request.method);
    if (traits.to === 'node') return requestNode(request, traits);
    return traits.asks || traits.changesSite
      ? inLine.runExclusive(() => requestSnap(request, traits))
      : requestSnap(request, traits);
  };

  // A site signs in once, with a text of its own: only the same request gets what the owners sign.
  const dispatch = async (request: RequestArguments): Promise<unknown> => {
    for (;;) {
      try {
        return await dispatchOnce(request);
      } catch (error) {
        if (!isCode(error, 'signatures-missing')) throw error;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, ASK_AGAIN);
      });
    }
  };

  let connecting: Promise<unknown> | undefined;
  const request = async (args: RequestArguments): Promise<unknown> => {
    try {
      const jsonRequest = toJsonRequest(args);
      if (jsonRequest.method !== 'eth_requestAccounts') return await dispatch(jsonRequest);
      // Concurrent requests to connect share one dialog.
      connecting ??= dispatch(jsonRequest).finally(() => {
        connecting = undefined;
      });
      return await connecting;
    } catch (error) {
      throw toProviderRpcError(error);
    }
  };

  const members = {
    request: request as KeysteadProvider['request'],
    isConnected: () => session.isConnected,
    isKeystead: true as const,
    ...(options.isMetaMask === true && { isMetaMask: true as const }),
    ...legacyMethods(request, known),
    get chainId() {
      return session.chainId;
    },
    get networkVersion() {
      return decimalOf(session.chainId);
    },
    get selectedAddress() {
      return session.accounts[0] ?? null;
    },
  };
  // Not frozen: pages set properties of their own on a provider, and throw if that fails.
  return Object.defineProperties(events, Object.getOwnPropertyDescriptors(members)) as unknown as KeysteadProvider;
}
