import { CODES, ProviderRpcError, toProviderRpcError } from './rpc-error';
import { type JsonRpcRequest, type JsonRpcResponse, type KeysteadProvider, type RequestArguments } from './types';

type Callback = (error: ProviderRpcError | null, response: unknown) => void;
type State = { readonly accounts: readonly string[]; readonly networkVersion: string };

/** What `send` can answer without a promise, as pages from before EIP-1193 expect. */
const SYNCHRONOUS = new Map<string, (state: State) => unknown>([
  ['eth_accounts', ({ accounts }) => accounts],
  ['eth_coinbase', ({ accounts }) => accounts[0] ?? null],
  ['net_version', ({ networkVersion }) => networkVersion],
]);

/**
 * The methods that preceded `request` (the appendix of EIP-1193), in terms of it.
 *
 * @param getState - The accounts and the network that the provider knows now.
 */
export function legacyMethods(
  request: (args: RequestArguments) => Promise<unknown>,
  getState: () => State,
): Pick<KeysteadProvider, 'enable' | 'send' | 'sendAsync'> {
  const respond = async ({ id, method, params }: JsonRpcRequest): Promise<JsonRpcResponse> => {
    const envelope = { id: id ?? null, jsonrpc: '2.0' } as const;
    try {
      return { ...envelope, result: await request({ method, params }) };
    } catch (reason) {
      return { ...envelope, error: toProviderRpcError(reason) };
    }
  };

  const sendAsync = (payload: JsonRpcRequest | readonly JsonRpcRequest[], callback?: Callback): unknown => {
    const responses = isBatch(payload) ? Promise.all(payload.map(respond)) : respond(payload);
    // Pages written for MetaMask leave the callback out, and await the responses instead.
    if (callback === undefined) return responses;
    void responses.then((answer) => {
      callback('error' in answer ? (answer.error ?? null) : null, answer);
    });
    return undefined;
  };

  const send = (first: string | JsonRpcRequest, second?: unknown): unknown => {
    if (typeof first === 'string')
      return request({ method: first, params: second as object }).then((result) => ({
        id: null,
        jsonrpc: '2.0',
        result,
      }));
    if (typeof second === 'function') {
      sendAsync(first, second as Callback);
      return undefined;
    }
    const resultOf = SYNCHRONOUS.get(first.method);
    if (resultOf === undefined)
      throw new ProviderRpcError(
        CODES.unsupportedMethod,
        `send: cannot return the result of ${first.method} at once. Use request, which returns a promise.`,
      );
    return { id: first.id ?? null, jsonrpc: '2.0', result: resultOf(getState()) };
  };

  return {
    enable: () => request({ method: 'eth_requestAccounts' }) as ReturnType<KeysteadProvider['enable']>,
    send: send as KeysteadProvider['send'],
    sendAsync: sendAsync as KeysteadProvider['sendAsync'],
  };
}

const isBatch = (payload: JsonRpcRequest | readonly JsonRpcRequest[]): payload is readonly JsonRpcRequest[] =>
  Array.isArray(payload);
