import { exactOptional, integer, literal, nullable, number, optional, rule, string, type, unknown } from './struct';

/** A successful response (JSON-RPC 2.0, section 5). Some servers add members, or an error that is null. */
export const JsonRpcSuccessStruct = type({
  jsonrpc: literal('2.0'),
  id: integer(),
  result: rule<unknown>('must be present', (value) => value !== undefined),
});

/** An error response (JSON-RPC 2.0, section 5.1). The id is null if the server could not read it. */
export const JsonRpcFailureStruct = type({
  jsonrpc: literal('2.0'),
  id: optional(nullable(integer())),
  error: type({ code: number(), message: string(), data: exactOptional(unknown()) }),
});
