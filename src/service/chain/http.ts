import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Logger } from 'pino';

import type { Addresses } from './addresses';
import type { Authenticate } from './authenticate';
import type { Answer, Caller, Dispatcher, Done } from './dispatch';
import { internalError, invalidRequest, parseError, RpcError } from './errors';
import { errorText } from './json-rpc';
import { assertWithinBounds } from './json-bounds';
import type { RpcMetrics } from './metrics';
import type { Network } from './network';
import {
  asksForReadiness,
  isLoopbackName,
  type Operations,
  sendHealth,
  sendLive,
  sendMetrics,
  sendText,
} from './operations';
import { targetOf } from './target';

/** Shared by the HTTP and WebSocket servers. */
export type RpcContext = {
  addresses: Addresses;
  authenticate: Authenticate;
  dispatcher: Dispatcher;
  metrics: RpcMetrics;
  log: Logger;
  operations: Operations;
  /** Whether `/metrics` is served on the public listeners. */
  publicMetrics: boolean;
  bodyBytes: number;
  /** Whether the service is stopping; connections are then closed after their response. */
  stopping: () => boolean;
};

/**
 * Sent with every response: pages of any origin may call, since every request carries its key. Alternating names and
 * values.
 */
export const CORS = [
  ['access-control-allow-origin', '*'],
  ['access-control-allow-methods', 'POST, OPTIONS'],
  ['access-control-allow-headers', 'content-type'],
  ['access-control-max-age', '86400'],
].flat();
const CLOSE = ['connection', 'close'];
const LAST_CORS = [...CORS, ...CLOSE];
const ALLOW = ['allow', 'POST, OPTIONS'];

const RPC_PATH = /^\/v3\/(?<key>[^/]+)\/?$/u;
const JSON_TYPES = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest']);

/**
 * @param addresses - All networks.
 * @param host - `Host` header.
 * @param own - The network of the port.
 * @returns The network.
 * @throws {RpcError} With status 404 if the address matches no network.
 */
export function networkAt(addresses: Addresses, host: string | undefined, own: Network | undefined): Network {
  const network = addresses.find(host, own);
  if (!network) throw invalidRequest('no network is configured for this host name', 404);
  return network;
}

function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = () => {
      // Discard the rest unread, so that the client gets to see the response.
      request.removeAllListeners('data').resume();
      reject(invalidRequest(`the body is larger than ${limit} bytes`, 413));
    };
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      refuse();
      return;
    }
    request
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length > limit) refuse();
      })
      .once('end', () => {
        const [only] = chunks;
        resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
      })
      .once('error', reject);
  });
}

/** The charset is ignored, because JSON is always UTF-8 (RFC 8259, sections 8.1 and 11). */
function requireJson({ headers }: IncomingMessage): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (!JSON_TYPES.has(type ?? '')) throw invalidRequest('the content type must be application/json', 415);
  if (!/^(?:identity)?$/iu.test(headers['content-encoding'] ?? ''))
    throw invalidRequest('the body must not have a content encoding', 415);
}

/**
 * Answers the body of a POST.
 *
 * @param context - The server's context.
 * @param caller - The caller.
 * @param bytes - The body.
 * @param done - Called with the response.
 */
export function answerBody(context: RpcContext, caller: Caller, bytes: Buffer, done: Done): void {
  const text = bytes.toString('utf8');
  // Invalid UTF-8 is not JSON (RFC 8259, section 8.1), and an ID in it could not be echoed exactly.
  if (text.includes('\ufffd') && !isUtf8(bytes)) context.dispatcher.malformed(caller, parseError(), done);
  else answerText(context, caller, text, done);
}

/** Like {@link answerBody}, for a body that is already decoded. */
export function answerText({ dispatcher }: RpcContext, caller: Caller, text: string, done: Done): void {
  let value: unknown;
  try {
    assertWithinBounds(text);
    value = JSON.parse(text);
  } catch (error) {
    dispatcher.malformed(caller, error instanceof RpcError ? error : parseError(), done);
    return;
  }
  dispatcher.body(caller, value, text, done);
}

/**
 * Counts a rejected request, and logs unexpected errors.
 *
 * @param context - The server's context.
 * @param error - What was thrown.
 * @returns The response, in the shape of a JSON-RPC error.
 */
export function refusal(context: RpcContext, error: unknown): { status: number; body: string } {
  const known = error instanceof RpcError ? error : internalError(error);
  if (known.status === 500) context.log.error({ err: error }, 'unexpected error');
  context.metrics.refused.inc({ reason: String(known.status) });
  return { status: known.status, body: errorText(null, known.toJSON()) };
}

/** Answers `POST /v3/<API_KEY>`. */
async function handleRpc(
  context: RpcContext,
  key: string,
  host: string | undefined,
  own: Network | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') throw invalidRequest('use POST', 405);
  const network = networkAt(context.addresses, host, own);
  const identity = await context.authenticate(key);
  requireJson(request);
  const bytes = await readBody(request, context.bodyBytes);
  const { body, status } = await new Promise<Answer>((resolve) => {
    answerBody(context, { network, identity, transport: 'http' }, bytes, resolve);
  });
  if (body !== undefined) sendText(response, status, body, headersOf(context));
  else response.writeHead(204, [...headersOf(context)]).end();
}

/** The response to a rejected request. */
type Refusal = { status: number; body: string; headers: readonly string[] };

const headersOf = (context: RpcContext): readonly string[] => (context.stopping() ? LAST_CORS : CORS);

async function route(
  context: RpcContext,
  own: Network | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method } = request;
  if (method === 'OPTIONS') {
    response.writeHead(204, [...headersOf(context)]).end();
    return;
  }
  const { path, host } = targetOf(request);
  const key = RPC_PATH.exec(path)?.groups?.['key'];
  const reads = method === 'GET' || method === 'HEAD';
  if (key !== undefined) await handleRpc(context, key, host, own, request, response);
  else if (path === '/livez' && reads) sendLive(response, headersOf(context));
  else if (asksForReadiness(path) && reads) await sendHealth(response, context.operations, headersOf(context));
  else if (path === '/metrics' && reads && context.publicMetrics && isLoopbackName(host))
    await sendMetrics(response, context.operations);
  else if (path.startsWith('/ws/'))
    throw invalidRequest('not a WebSocket upgrade; a proxy in between must forward the Upgrade header', 404);
  else throw invalidRequest('the path must be /v3/<API_KEY>', 404);
}

/**
 * Answers a request whose body is still arriving, and discards the rest: to a proxy that is still writing, a closed
 * connection means a failed service, whatever the response says.
 */
function sendEarly(context: RpcContext, request: IncomingMessage, response: ServerResponse, refused: Refusal): void {
  let left = 2 * context.bodyBytes;
  const end = () => response.end();
  request.once('close', end).on('data', ({ length }: Buffer) => {
    left -= length;
    if (left < 0) end();
  });
  const { status, body, headers } = refused;
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, [...headers, 'content-type', 'application/json', 'content-length', length]);
  response.write(body);
}

/**
 * Handles one HTTP request. Every error response has the shape of a JSON-RPC error.
 *
 * @param context - The server's context.
 * @param own - The network of the port; undefined on the shared port.
 * @param request - The request.
 * @param response - Its response.
 */
export async function handleHttp(
  context: RpcContext,
  own: Network | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await route(context, own, request, response);
  } catch (error) {
    if (request.errored || response.destroyed) return;
    const { status, body } = refusal(context, error);
    const allow = status === 405 ? ALLOW : [];
    if (request.complete) sendText(response, status, body, [...headersOf(context), ...allow]);
    else sendEarly(context, request, response, { status, body, headers: [...LAST_CORS, ...allow] });
  }
}
