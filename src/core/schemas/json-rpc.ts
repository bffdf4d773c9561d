type JsonRpcSuccess = { readonly jsonrpc: '2.0'; readonly id: number; readonly result: unknown };
type JsonRpcFailure = {
  readonly jsonrpc: '2.0';
  readonly id?: number | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
};

// These two are plain functions and not structs, because `keystead/provider` must stay small.
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * @returns Whether a value is a successful response (JSON-RPC 2.0, section 5). Some servers add members, or an error
 * that is null.
 */
export const isJsonRpcSuccess = (value: unknown): value is JsonRpcSuccess =>
  isObject(value) && value.jsonrpc === '2.0' && Number.isInteger(value.id) && value.result !== undefined;

/**
 * @returns Whether a value is an error response (JSON-RPC 2.0, section 5.1). The id is null if the server could not
 * read it.
 */
export const isJsonRpcFailure = (value: unknown): value is JsonRpcFailure =>
  isObject(value) &&
  value.jsonrpc === '2.0' &&
  (value.id === undefined || value.id === null || Number.isInteger(value.id)) &&
  isObject(value.error) &&
  typeof value.error.code === 'number' &&
  !Number.isNaN(value.error.code) &&
  typeof value.error.message === 'string';

/** @returns Whether a JSON value nests at most `depth` levels of arrays and objects. Stops at the limit. */
export const isWithin = (depth: number, value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isWithin(depth - 1, member)));
