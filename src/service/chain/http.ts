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
import { isLoopbackName, sendHealth, sendMetrics, sendText, type Operations } from './operations';
import { targetOf } from './target';

/** What the HTTP and WebSocket doors share. */
export type Doors = {
  addresses: Addresses;
  authenticate: Authenticate;
  dispatcher: Dispatcher;
  metrics: RpcMetrics;
  log: Logger;
  operations: Operations;
  /** Whether `/metrics` is answered on the public listeners. */
  publicMetrics: boolean;
  bodyBytes: number;
  /** Whether the service is stopping: connections are then not kept. */
  stopping: () => boolean;
};

/** On every answer: pages of any origin may ask, since every request brings its key. Name and value by turns. */
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
 * @throws {RpcError} With status 404 if the address means none.
 */
export function networkAt(addresses: Addresses, host: string | undefined, own: Network | undefined): Network {
  const network = addresses.find(host, own);
  if (!network) throw invalidRequest('no network has this host name', 404);
  return network;
}

function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const refuse = () => {
      // The rest is let pass unread, so that the client gets to see the answer.
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

/** A character set says nothing about JSON, which is UTF-8 (RFC 8259, sections 8.1 and 11). */
function requireJson({ headers }: IncomingMessage): void {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (!JSON_TYPES.has(type ?? '')) throw invalidRequest('the content type must be application/json', 415);
  if (!/^(?:identity)?$/iu.test(headers['content-encoding'] ?? ''))
    throw invalidRequest('the body must be sent as it is, without a content encoding', 415);
}

/**
 * Answers the body of a POST.
 *
 * @param doors - What to answer with.
 * @param caller - Who asks.
 * @param bytes - The body.
 * @param done - Is given the answer.
 */
export function answerBody(doors: Doors, caller: Caller, bytes: Buffer, done: Done): void {
  const text = bytes.toString('utf8');
  // What is no UTF-8 is no JSON (RFC 8259, section 8.1), and an id in it could not be given back as it came.
  if (text.includes('\ufffd') && !isUtf8(bytes)) doors.dispatcher.malformed(caller, parseError(), done);
  else answerText(doors, caller, text, done);
}

/** Answers the body of a POST, as {@link answerBody}, where it is text already. */
export function answerText({ dispatcher }: Doors, caller: Caller, text: string, done: Done): void {
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
 * Counts a request that was turned away, and logs why if nobody foresaw it.
 *
 * @param doors - What to answer with.
 * @param error - What was thrown.
 * @returns The answer, in the shape of a JSON-RPC error.
 */
export function refusal(doors: Doors, error: unknown): { status: number; body: string } {
  const known = error instanceof RpcError ? error : internalError(error);
  if (known.status === 500) doors.log.error({ err: error }, 'unexpected error');
  doors.metrics.refused.inc({ reason: String(known.status) });
  return { status: known.status, body: errorText(null, known.toJSON()) };
}

/** Answers `POST /v3/<API_KEY>`. */
async function handleRpc(
  doors: Doors,
  key: string,
  host: string | undefined,
  own: Network | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') throw invalidRequest('requests are sent with POST', 405);
  const network = networkAt(doors.addresses, host, own);
  const identity = await doors.authenticate(key);
  requireJson(request);
  const bytes = await readBody(request, doors.bodyBytes);
  const { body, status } = await new Promise<Answer>((resolve) => {
    answerBody(doors, { network, identity, transport: 'http' }, bytes, resolve);
  });
  if (body !== undefined) sendText(response, status, body, headersOf(doors));
  else response.writeHead(204, [...headersOf(doors)]).end();
}

/** An answer to what was turned away. */
type Refusal = { status: number; body: string; headers: readonly string[] };

const headersOf = (doors: Doors): readonly string[] => (doors.stopping() ? LAST_CORS : CORS);

async function route(
  doors: Doors,
  own: Network | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method } = request;
  if (method === 'OPTIONS') {
    response.writeHead(204, [...headersOf(doors)]).end();
    return;
  }
  const { path, host } = targetOf(request);
  const key = RPC_PATH.exec(path)?.groups?.['key'];
  const reads = method === 'GET' || method === 'HEAD';
  if (key !== undefined) await handleRpc(doors, key, host, own, request, response);
  else if (path === '/health' && reads) await sendHealth(response, doors.operations, headersOf(doors));
  else if (path === '/metrics' && reads && doors.publicMetrics && isLoopbackName(host))
    await sendMetrics(response, doors.operations);
  else if (path.startsWith('/ws/'))
    throw invalidRequest('no WebSocket was asked for; a proxy in between must pass the Upgrade field on', 404);
  else throw invalidRequest('the address is /v3/<API_KEY>', 404);
}

/**
 * Answers a request whose body is still on its way, and lets the rest of it pass: to a proxy that is still writing, a
 * connection that closes is a service that fails, whatever it has answered.
 */
function sendEarly(doors: Doors, request: IncomingMessage, response: ServerResponse, refused: Refusal): void {
  let left = 2 * doors.bodyBytes;
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
 * Answers one HTTP request. Every refusal has the shape of a JSON-RPC error.
 *
 * @param doors - What to answer with.
 * @param own - The network of the port it came to; undefined on the shared port.
 * @param request - The request.
 * @param response - Its response.
 */
export async function handleHttp(
  doors: Doors,
  own: Network | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await route(doors, own, request, response);
  } catch (error) {
    if (request.errored || response.destroyed) return;
    const { status, body } = refusal(doors, error);
    const allow = status === 405 ? ALLOW : [];
    if (request.complete) sendText(response, status, body, [...headersOf(doors), ...allow]);
    else sendEarly(doors, request, response, { status, body, headers: [...LAST_CORS, ...allow] });
  }
}
