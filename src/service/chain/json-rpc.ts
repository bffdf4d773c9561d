import { invalidRequest, type RpcErrorObject } from './errors';
import { JsonText, membersOf, type Part } from './json-text';

export type RpcId = string | number | null;

/** A valid JSON-RPC 2.0 request. Without an ID it is a notification, which gets no response. */
export type RpcRequest = {
  id: RpcId | undefined;
  method: string;
  params: unknown;
  /** The parameters as they were sent. */
  sent: () => Part;
};

const NO_PARAMS: Part = { text: '[]', levels: 1 };

/** @returns The response to a request, as JSON (section 5). */
export function resultText(id: RpcId, result: unknown): string {
  const text = result instanceof JsonText ? result.text : JSON.stringify(result);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
}

/** @returns The response to a request that failed, as JSON (section 5.1). */
export function errorText(id: RpcId, { data, ...error }: RpcErrorObject): string {
  const members = JSON.stringify(error);
  const whole = data === undefined ? members : `${members.slice(0, -1)},"data":${data.text}}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${whole}}`;
}

/** A longer name is no known method, and would only fill responses and logs. */
const MAX_METHOD_LENGTH = 128;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JavaScript would echo a larger integer as a different one, and an infinite number as null. */
const isExact = (value: number) => (Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value));

function isId(value: unknown): value is RpcId {
  return value === null || typeof value === 'string' || (typeof value === 'number' && isExact(value));
}

/**
 * @param value - What was sent as one request.
 * @returns The ID for the response to an invalid request: its own if it can be determined, else null (section 5).
 */
export function idOf(value: unknown): RpcId {
  return isRecord(value) && isId(value['id']) ? value['id'] : null;
}

/**
 * Checks the envelope of one request (JSON-RPC 2.0, section 4).
 *
 * @param value - What was sent.
 * @param text - Its JSON; called only if the parameters are forwarded unchanged.
 * @returns The request.
 * @throws {RpcError} -32600 with the reason.
 */
export function parseRequest(value: unknown, text: () => string): RpcRequest {
  if (!isRecord(value)) throw invalidRequest('a request must be an object');
  const { jsonrpc, id, method, params } = value;
  if (id !== undefined && !isId(id))
    throw invalidRequest('id must be a string, a number that fits in 53 bits, or null');
  if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0"');
  if (typeof method !== 'string' || method === '') throw invalidRequest('method must be a string');
  if (method.length > MAX_METHOD_LENGTH) throw invalidRequest('method is too long');
  if (params !== undefined && typeof params !== 'object') throw invalidRequest('params must be an array or an object');
  const sent = () => (params ? membersOf(text()).get('params') : undefined) ?? NO_PARAMS;
  return { id, method, params: params ?? [], sent };
}
