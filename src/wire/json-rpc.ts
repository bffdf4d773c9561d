import { exactOptional, integer, literal, number, string, type, union, unknown } from '@metamask/superstruct';

/** A successful answer (JSON-RPC 2.0, 5). */
const SuccessStruct = type({ jsonrpc: literal('2.0'), id: integer(), result: unknown() });

/** The error object of JSON-RPC 2.0, 5.1. */
const ErrorStruct = type({ code: number(), message: string(), data: exactOptional(unknown()) });

/** An error. The id is null where the server could not read it. */
const FailureStruct = type({ jsonrpc: literal('2.0'), error: ErrorStruct });

/** What a JSON-RPC server answers to one request. */
export const JsonRpcAnswerStruct = union([SuccessStruct, FailureStruct]);
