import type { JsonPieces, JsonText } from './json-text';

/** JSON-RPC 2.0 error codes (specification, section 5.1). */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** A key may not do this; the code that hosted services send. */
export const NOT_ALLOWED = -32002;
/** Any other error of go-ethereum. */
export const SERVER_ERROR = -32000;
/** A limit of the key or of a request is exceeded (EIP-1474). */
export const LIMIT_EXCEEDED = -32005;
/** History is unavailable (EIP-4444; execution-apis). */
export const HISTORY_UNAVAILABLE = 4444;

export type RpcErrorObject = {
  code: number;
  message: string;
  data?: JsonText | JsonPieces;
  event?: number;
  details?: string;
};

export type RpcErrorOptions = ErrorOptions & {
  /** HTTP status of a response that consists of this error alone. */
  status?: number;
  data?: RpcErrorObject['data'] | undefined;
  /** Seconds after which the request may be sent again. */
  retryAfter?: number;
  /** The documented number and explanation of account errors, as in the 402 response. */
  event?: number;
  details?: string;
};

/** An error that is sent to the caller as it is. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly #object: RpcErrorObject;

  constructor(
    code: number,
    message: string,
    { status = 200, data, event, details, retryAfter, ...options }: RpcErrorOptions = {},
  ) {
    super(message, options);
    this.status = status;
    this.retryAfter = retryAfter;
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

  /** Whether the credits are refunded, because the service is at fault rather than the request. */
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

/** @param why - Appended to go-ethereum's message, where there is more to say. */
export function methodNotFound(method: string, why?: string): RpcError {
  const text = `the method ${method} does not exist/is not available`;
  return new RpcError(METHOD_NOT_FOUND, why === undefined ? text : `${text}: ${why}`);
}

/** Begins like go-ethereum's message, which libraries recognize. */
export const notificationsUnsupported = () =>
  new RpcError(METHOD_NOT_FOUND, 'notifications not supported: subscribe over a WebSocket, at /ws/v3/<API_KEY>');

/** As in go-ethereum. */
export const subscriptionNotFound = () => new RpcError(SERVER_ERROR, 'subscription not found');

/** As in go-ethereum. */
export const filterNotFound = () => new RpcError(SERVER_ERROR, 'filter not found');

export const invalidParams = (why: string) => new RpcError(INVALID_PARAMS, why);

export const historyUnavailable = (why: string) =>
  new RpcError(HISTORY_UNAVAILABLE, `pruned history unavailable: ${why}`);

export const unauthorized = () => new RpcError(401, 'Unauthorized', { status: 401, details: 'invalid project id' });

/**
 * Sent once the daily credits are used up; the shape that hosted services document.
 *
 * @param price - What the request costs.
 * @param daily - What the key has a day.
 */
export const creditsSpent = (price: number, daily: number) =>
  new RpcError(402, 'Payment Required', {
    status: 402,
    event: -33000,
    details: `You have reached your daily credit limit. This request costs ${price} credits, ${
      price > daily ? 'more than' : 'and fewer are left of'
    } the ${daily} that this key has from midnight to midnight UTC.`,
  });

/** @param what - Goes on after "this key may not". The message begins as that of hosted services. */
export const notAllowed = (what: string) =>
  new RpcError(NOT_ALLOWED, `rejected due to project ID settings: this key may not ${what}`, { status: 403 });

/**
 * @param limit - Names the limit, in words.
 * @param retryAfter - Seconds after which the request may be sent again.
 */
export const limitExceeded = (limit: string, retryAfter = 1) =>
  new RpcError(LIMIT_EXCEEDED, `limit exceeded: ${limit}`, { status: 429, retryAfter });

export const tookTooLong = (ms: number) =>
  new RpcError(INTERNAL_ERROR, `the request took longer than ${ms / 1000} seconds`, { status: 504 });

/** Nobody reads this answer. What was done for it is paid for. */
export const clientGone = () => new RpcError(SERVER_ERROR, 'the client closed the connection', { status: 499 });

export const unavailable = (why: string, cause: unknown) => new RpcError(INTERNAL_ERROR, why, { status: 503, cause });
export const internalError = (cause: unknown) => new RpcError(INTERNAL_ERROR, 'internal error', { status: 500, cause });
