import type { JsonText } from './json-text';

/** JSON-RPC 2.0 error codes (specification, section 5.1). */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** History that is not there (EIP-4444; execution-apis). */
export const HISTORY_UNAVAILABLE = 4444;

export type RpcErrorObject = { code: number; message: string; data?: JsonText; event?: number; details?: string };

export type RpcErrorOptions = ErrorOptions & {
  /** HTTP status of an answer that consists of this error alone. */
  status?: number;
  data?: JsonText | undefined;
  /** Number and explanation of the documented shape for errors of the account, as in the 402. */
  event?: number;
  details?: string;
};

/** An error that the caller is told about, as it stands. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly status: number;
  readonly #object: RpcErrorObject;

  constructor(code: number, message: string, { status = 200, data, event, details, ...options }: RpcErrorOptions = {}) {
    super(message, options);
    this.status = status;
    this.#object = {
      code,
      ...(event === undefined ? {} : { event }),
      message,
      ...(details === undefined ? {} : { details }),
      ...(data === undefined ? {} : { data }),
    };
  }

  get code(): number {
    return this.#object.code;
  }

  /** Whether the caller gets the credits back: the service, not the request, is at fault. */
  get free(): boolean {
    return this.status >= 500 || this.code === HISTORY_UNAVAILABLE;
  }

  toJSON(): RpcErrorObject {
    return this.#object;
  }
}

export const parseError = () => new RpcError(PARSE_ERROR, 'parse error: the body is not JSON');
export const invalidRequest = (why: string, status = 200) =>
  new RpcError(INVALID_REQUEST, `invalid request: ${why}`, { status });

/** Libraries ask for these on every WebSocket; whoever reads the answer should know what to do instead. */
const NO_SUBSCRIPTIONS =
  'there are no subscriptions here, on WebSockets either; poll eth_blockNumber, eth_getLogs or eth_getTransactionReceipt';

/** @param why - Said behind the words of go-ethereum, where there is more to say. */
export function methodNotFound(method: string, why?: string): RpcError {
  const more = why ?? (/^eth_(?:un)?subscribe$/u.test(method) ? NO_SUBSCRIPTIONS : undefined);
  const text = `the method ${method} does not exist/is not available`;
  return new RpcError(METHOD_NOT_FOUND, more === undefined ? text : `${text}: ${more}`);
}
export const invalidParams = (why: string) => new RpcError(INVALID_PARAMS, why);

export const historyUnavailable = (why: string) =>
  new RpcError(HISTORY_UNAVAILABLE, `pruned history unavailable: ${why}`);

export const unauthorized = () => new RpcError(401, 'Unauthorized', { status: 401, details: 'invalid project id' });

/** Told once the day's credits are spent; the shape that hosted services document. */
export const creditsSpent = () =>
  new RpcError(402, 'Payment Required', {
    status: 402,
    event: -33000,
    details:
      'You have reached your daily credit limit. To continue making requests, upgrade your plan or purchase additional credits',
  });

export const unavailable = (why: string, cause: unknown) => new RpcError(INTERNAL_ERROR, why, { status: 503, cause });
export const internalError = (cause: unknown) => new RpcError(INTERNAL_ERROR, 'internal error', { status: 500, cause });
