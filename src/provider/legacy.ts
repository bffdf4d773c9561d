import { type Known, traitsOf } from './method-table';
import { CODES, ProviderRpcError, toProviderRpcError } from './rpc-error';
import { type JsonRpcRequest, type JsonRpcResponse, type KeysteadProvider, type RequestArguments } from './types';

type Callback = (error: ProviderRpcError | null, response: unknown) => void;
/**
 * The methods that preceded `request` (the appendix of EIP-1193), in terms of it.
 *
 * @param getKnown - What the provider knows now.
 */
export function legacyMethods(
  request: (args: RequestArguments) => Promise<unknown>,
  getKnown: () => Known,
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
    const { known } = traitsOf(first.method);
    if (known === undefined)
      throw new ProviderRpcError(
        CODES.unsupportedMethod,
        `send: cannot return the result of ${first.method} at once. Use request, which returns a promise.`,
      );
    return { id: first.id ?? null, jsonrpc: '2.0', result: known(getKnown()) };
  };

  return {
    enable: () => request({ method: 'eth_requestAccounts' }) as ReturnType<KeysteadProvider['enable']>,
    send: send as KeysteadProvider['send'],
    sendAsync: sendAsync as KeysteadProvider['sendAsync'],
  };
}

const isBatch = (payload: JsonRpcRequest | readonly JsonRpcRequest[]): payload is readonly JsonRpcRequest[] =>
  Array.isArray(payload);
