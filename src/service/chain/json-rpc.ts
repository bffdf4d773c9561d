import { isUtf8 } from 'node:buffer';

import { invalidRequest, parseError, type RpcErrorObject } from './errors';
import { type Json, JsonPieces, JsonText, membersOf, type Part } from './json-text';

/**
 * The JSON of an ID, exactly as it was sent: JavaScript would write a large integer, `1.0`, `1e400` or an escaped
 * string differently.
 */
export type IdText = string;

/** The ID of a response to a request whose own ID is unknown (section 5). */
export const NO_ID: IdText = 'null';

/** A valid JSON-RPC 2.0 request. Without an ID it is a notification, which gets no response. */
export type RpcRequest = {
  id: IdText | undefined;
  method: string;
  params: unknown;
  /** The parameters as they were sent. */
  sent: () => Part;
};

/**
 * @param bytes - A body or a frame.
 * @returns Its text.
 * @throws {RpcError} -32700 if it is not UTF-8: that is not JSON (RFC 8259, section 8.1), and an ID in it could not be
 * echoed exactly.
 */
export function textIn(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(bytes)) throw parseError();
  return text;
}

const NO_PARAMS: Part = { text: '[]', levels: 1 };

/** @returns The response to a request, as JSON (section 5). */
export function resultJson(id: IdText, result: unknown): Json {
  const head = `{"jsonrpc":"2.0","id":${id},"result":`;
  if (result instanceof JsonPieces) return JsonPieces.of(head, result, '}');
  return `${head}${result instanceof JsonText ? result.text : JSON.stringify(result)}}`;
}

/** @returns The response to a request that failed, as JSON (section 5.1). */
export function errorText(id: IdText, { data, ...error }: RpcErrorObject): string {
  const members = JSON.stringify(error);
  const whole = data === undefined ? members : `${members.slice(0, -1)},"data":${data.text}}`;
  return `{"jsonrpc":"2.0","id":${id},"error":${whole}}`;
}

/** Like {@link errorText}, with long data in pieces. */
export function errorJson(id: IdText, error: RpcErrorObject): Json {
  const { data, ...members } = error;
  if (!(data instanceof JsonPieces)) return errorText(id, error);
  return JsonPieces.of(
    `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(members).slice(0, -1)},"data":`,
    data,
    '}}',
  );
}

/** A longer name is no known method, and would only fill responses and logs. */
const MAX_METHOD_LENGTH = 128;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Characters of an ID as JSON: it is sent back with every response. */
const MAX_ID_LENGTH = 4096;

/** The members of a request, as they were sent, read only where they are needed. */
type Members = () => Map<string, Part>;

function membersIn(text: () => string): Members {
  let members: Map<string, Part> | undefined;
  return () => (members ??= membersOf(text()));
}

/** @throws {RpcError} -32600 if the ID is none that a response can have. */
function ownId(id: unknown, members: Members): IdText {
  if (id !== null && typeof id !== 'string' && typeof id !== 'number')
    throw invalidRequest('id must be a string, a number or null');
  const { text } = members().get('id') ?? { text: NO_ID };
  if (text.length > MAX_ID_LENGTH) throw invalidRequest(`id must have at most ${MAX_ID_LENGTH} characters`);
  return text;
}

/**
 * @param value - What was sent as one request.
 * @param text - Its JSON.
 * @returns The ID for the response to an invalid request: its own if it can be determined, else null (section 5).
 */
export function idOf(value: unknown, text: () => string): IdText {
  if (!isRecord(value) || value['id'] === undefined) return NO_ID;
  try {
    return ownId(value['id'], membersIn(text));
  } catch {
    return NO_ID;
  }
}

/**
 * Checks the envelope of one request (JSON-RPC 2.0, section 4).
 *
 * @param value - What was sent.
 * @param text - Its JSON, for what is passed on or sent back unchanged.
 * @returns The request.
 * @throws {RpcError} -32600 with the reason.
 */
export function parseRequest(value: unknown, text: () => string): RpcRequest {
  if (!isRecord(value)) throw invalidRequest('a request must be an object');
  const { jsonrpc, id, method, params } = value;
  const members = membersIn(text);
  const sentId = id === undefined ? undefined : ownId(id, members);
  if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0"');
  if (typeof method !== 'string' || method === '') throw invalidRequest('method must be a string');
  if (method.length > MAX_METHOD_LENGTH) throw invalidRequest('method is too long');
  if (params !== undefined && typeof params !== 'object') throw invalidRequest('params must be an array or an object');
  const sent = () => (params ? members().get('params') : undefined) ?? NO_PARAMS;
  return { id: sentId, method, params: params ?? [], sent };
}
