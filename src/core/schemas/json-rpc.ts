import { exactOptional, integer, literal, nullable, number, optional, rule, string, type, unknown } from './struct';

/**
 * A successful response (JSON-RPC 2.0, section 5). Some servers add members, or an error that is null.
 *
 * @example
 * ```ts
 * JsonRpcSuccessStruct.is({ jsonrpc: '2.0', id: 1, result: '0x1' }); // => true
 * JsonRpcSuccessStruct.is({ jsonrpc: '2.0', id: 1, result: null }); // => true
 * JsonRpcSuccessStruct.is({ jsonrpc: '2.0', id: 1 }); // => false
 * ```
 */
export const JsonRpcSuccessStruct = type({
  jsonrpc: literal('2.0'),
  id: integer(),
  result: rule<unknown>('must be present', (value) => value !== undefined),
});

/**
 * An error response (JSON-RPC 2.0, section 5.1). The id is null if the server could not read it.
 *
 * @example
 * ```ts
 * JsonRpcFailureStruct.is({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }); // => true
 * JsonRpcFailureStruct.is({ jsonrpc: '2.0', id: 1, error: 'Method not found' }); // => false
 * ```
 */
export const JsonRpcFailureStruct = type({
  jsonrpc: literal('2.0'),
  id: optional(nullable(integer())),
  error: type({ code: number(), message: string(), data: exactOptional(unknown()) }),
});
