import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Admission } from '../admission/admission';
import { discardRest } from '../admission/discard';
import { REQUEST_ID, type RequestIds } from '../runtime/request-id';
import type { RefusalLog } from '../runtime/refusal-log';
import type { KeyIdentity } from '../keys';
import { refusedBy } from '../keys/permission';
import type { UseRecorder } from '../keys/use';
import { type Balance, reasonOf, reportOf } from '../keys/use-report';
import type { Addresses } from './addresses';
import type { Authenticate } from './authenticate';
import { IncomingBody } from './body';
import type { Answer, Caller } from './caller';
import type { Dispatcher } from './dispatch';
import { internalError, invalidRequest, notAllowed, PARSE_ERROR, parseError, RpcError, unavailable } from './errors';
import { errorText, NO_ID, textIn } from './json-rpc';
import { byteLengthOf, type Json, piecesOf } from './json-text';
import { PIECE_BYTES } from './shares';
import { mayBeLong } from './methods';
import type { RpcMetrics } from './metrics';
import type { Network } from './network';
import { targetOf } from './target';
import { fieldsOf, lineOf, type Trace } from './trace';

/** Shared by the HTTP and WebSocket servers. */
export type RpcContext = {
  addresses: Addresses;
  authenticate: Authenticate;
  dispatcher: Dispatcher;
  metrics: RpcMetrics;
  log: Logger;
  refusals: RefusalLog;
  requestId: RequestIds;
  use: UseRecorder;
  balance: (identity: KeyIdentity) => Promise<Balance>;
  bodyBytes: number;
  /** Of keys. */
  admission: Admission;
  batchItems: number;
  /** Milliseconds for a whole request. */
  answerMs: number;
  /** Whether clients are to go elsewhere. */
  leaving: () => boolean;
  /** Whether the service is stopping: it takes no more connections. */
  stopping: () => boolean;
};

/**
 * Sent with every response: pages of any origin may call, since every request carries its key. Alternating names and
 * values.
 */
const CORS = ['access-control-allow-origin', '*'];
/** Browsers read these only when they ask whether they may call. */
const PREFLIGHT = [
  ['access-control-allow-methods', 'GET, POST, OPTIONS'],
  ['access-control-allow-headers', 'content-type'],
  ['access-control-max-age', '86400'],
].flat();
const CLOSE = ['connection', 'close'];
const ALLOW = ['allow', 'GET, POST, OPTIONS'];

/** Bytes of a body above which it is parsed in a turn of its own: many that came at once would keep others waiting. */
const SHORT_BODY = 4096;

/** How long the answer 429 is held back, so that a client that ignores it cannot keep the service busy. */
export const REST_MS = 1000;

const USAGE_PATH = /^\/v3\/(?<key>[^/]+)\/usage$/u;
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

/** The charset is ignored, because JSON is always UTF-8 (RFC 8259, sections 8.1 and 11). */
function requireJson({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  // Most say exactly this.
  if (type !== 'application/json' && !JSON_TYPES.has(type?.split(';')[0]?.trim().toLowerCase() ?? ''))
    throw invalidRequest('the content type must be application/json', 415);
  if (!/^(?:identity)?$/iu.test(headers['content-encoding'] ?? ''))
    throw invalidRequest('the body must not have a content encoding', 415);
}

/**
 * Answers the body of a POST.
 *
 * @param context - The server's context.
 * @param caller - The caller.
 * @param body - The body, which has not been read yet.
 * @returns The response.
 * @throws {RpcError} If a limit of the key is exceeded.
 */
async function answerBody(context: RpcContext, caller: Caller, body: IncomingBody): Promise<Answer> {
  const { dispatcher } = context;
  const malformed = (why: RpcError, length: number) =>
    new Promise<Answer>((resolve) => dispatcher.malformed(caller, why, resolve, undefined, length));
  let bytes: Buffer;
  try {
    bytes = await body.read();
  } catch (error) {
    // It is refused before it is read whole.
    if (error instanceof RpcError && (error.status === 413 || error.code === PARSE_ERROR)) return malformed(error, 0);
    throw error;
  }
  const isLarge = bytes.length > PIECE_BYTES;
  // Others are answered between two long steps.
  if (bytes.length > SHORT_BODY) await caller.client.next();
  let text: string;
  let value: unknown;
  try {
    text = textIn(bytes);
    if (isLarge) await nextTurn();
    value = JSON.parse(text);
  } catch {
    return malformed(parseError(), bytes.length);
  }
  if (isLarge) await nextTurn();
  if (Array.isArray(value) && value.length > 1) caller.client.count(Math.min(value.length, context.batchItems) - 1);
  return new Promise((resolve) => {
    dispatcher.body(caller, { value, text, lengths: body.lengths }, resolve);
  });
}

/**
 * Sends JSON.
 *
 * @param response - Must have no headers yet.
 * @param headers - More headers, alternating names and values.
 */
function sendJson(response: ServerResponse, status: number, body: Json, headers: readonly string[]): void {
  // A string body goes out with the head in one write; headers as a list are cheaper than setting each.
  const length = String(byteLengthOf(body));
  response.writeHead(status, [...headers, 'content-type', 'application/json', 'content-length', length]);
  const pieces = piecesOf(body);
  for (const piece of pieces.slice(0, -1)) response.write(piece);
  response.end(pieces.at(-1));
}

/** A response; `headers` alternate names and values. */
type Sent = { status: number; body: Json | undefined; headers: readonly string[] };

/**
 * Counts a rejected request, and logs unexpected errors.
 *
 * @param context - The server's context.
 * @param error - What was thrown.
 * @param trace - Of the request.
 * @returns The error to send.
 */
export function refusal(context: RpcContext, error: unknown, trace: Trace): RpcError {
  const known = error instanceof RpcError ? error : internalError(error);
  if (known.status === 500) context.log.error({ err: error, ...fieldsOf(trace) }, 'unexpected error');
  else context.refusals.write(known.status, () => fieldsOf(trace), lineOf(known));
  context.metrics.refused.inc({ reason: String(known.status) });
  const reason = reasonOf(known.status);
  if (trace.identity && reason !== undefined) context.use.count(trace.identity, 'refused', reason);
  return known;
}

/** Something behind the service failed, and may soon work again. */
const PASSING = new Set([502, 503]);

/** @returns When a client may send the request again, in seconds; alternating names and values. */
export function retryHeaders({
  status,
  retryAfter,
}: {
  status: number;
  retryAfter?: number | undefined;
}): readonly string[] {
  const seconds = retryAfter ?? (PASSING.has(status) ? 1 : undefined);
  return seconds === undefined ? [] : ['retry-after', String(seconds)];
}

/** A request with a key, and its response. */
type Exchange = {
  readonly trace: Trace;
  readonly host: string | undefined;
  /** The network of the port; undefined on the shared port. */
  readonly own: Network | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

/** Answers `POST /v3/<API_KEY>`. */
async function handleRpc(context: RpcContext, { trace, host, own, request, response }: Exchange): Promise<void> {
  if (request.method !== 'POST') throw invalidRequest('use POST', 405);
  const network = networkAt(context.addresses, host, own);
  trace.network = network.name;
  const known = context.authenticate(trace.key);
  const identity = known instanceof Promise ? await known : known;
  trace.identity = identity;
  const entry = context.admission.client(identity.id).enter();
  const { answer: memory } = entry;
  let isAnswered = false;
  response.once('close', () => {
    // The client has read the answer, or has left: then nothing more is done for it.
    memory.leave();
    if (isAnswered) entry.leave();
  });
  const body = new IncomingBody(request, entry, context.bodyBytes, {
    batchItems: context.batchItems,
    mayBeLong: (method) => mayBeLong(network, method),
  });
  try {
    requireJson(request);
    const deadline = performance.now() + context.answerMs;
    const { origin } = request.headers;
    const { client } = entry;
    const caller = { network, identity, transport: 'http', trace, origin, client, deadline, memory } as const;
    const answer = await answerBody(context, caller, body);
    memory.complete();
    send(context, request, response, { ...answer, headers: [...headersOf(trace), ...retryHeaders(answer)] });
  } finally {
    body.release();
    isAnswered = true;
    // The response counts until the client has read it: until then it is in memory.
    if (!response.headersSent || response.closed || request.socket.destroyed) entry.leave();
  }
}

/** Answers `GET /v3/<API_KEY>/usage`: what the key itself has used. It is free, but counts as a request. */
async function handleUsage(context: RpcContext, { trace, host, own, request, response }: Exchange): Promise<void> {
  if (request.method !== 'GET') throw invalidRequest('use GET', 405);
  const { name } = networkAt(context.addresses, host, own);
  trace.network = name;
  const identity = await context.authenticate(trace.key);
  trace.identity = identity;
  const refused = refusedBy(identity.limits, { door: 'socket', origin: request.headers.origin, network: name });
  if (refused) throw notAllowed(refused.what);
  const client = context.admission.client(identity.id);
  client.spend(identity.limits, 1, 0);
  const entry = client.enter();
  try {
    const balance = await context.balance(identity);
    const found = await context.use.read(identity.id).catch((error: unknown) => {
      throw unavailable('what the key has used cannot be read right now, try again', error);
    });
    sendJson(response, 200, JSON.stringify(reportOf(found, balance)), headersOf(trace));
  } finally {
    entry.leave();
  }
}

const headersOf = ({ request }: Trace): readonly string[] => [...CORS, REQUEST_ID, request];

/** @returns Whether a balancer asks, before it sends a request, and not a page. */
const wantsAlive = ({ headers }: IncomingMessage): boolean => headers['access-control-request-method'] === undefined;

async function route(
  context: RpcContext,
  traced: (key: string) => Trace,
  own: Network | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method } = request;
  if (method === 'OPTIONS') {
    response.writeHead(wantsAlive(request) && context.leaving() ? 503 : 204, [...CORS, ...PREFLIGHT]).end();
    return;
  }
  const { path, host } = targetOf(request);
  const exchange = { host, own, request, response };
  const key = RPC_PATH.exec(path)?.groups?.['key'];
  const asking = USAGE_PATH.exec(path)?.groups?.['key'];
  if (key !== undefined) await handleRpc(context, { ...exchange, trace: traced(key) });
  else if (asking !== undefined) await handleUsage(context, { ...exchange, trace: traced(asking) });
  else if (path.startsWith('/ws/'))
    throw invalidRequest('not a WebSocket upgrade; a proxy in between must forward the Upgrade header', 404);
  else throw invalidRequest('the path must be /v3/<API_KEY>', 404);
}

/** @param rest - Of the request's body, if it is being discarded already. */
function send(
  context: RpcContext,
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers }: Sent,
  rest?: Promise<void>,
): void {
  if (body === undefined) response.writeHead(204, [...headers]).end();
  else if (request.complete) sendJson(response, status, body, headers);
  else {
    const length = String(byteLengthOf(body));
    response.writeHead(status, [...headers, ...CLOSE, 'content-type', 'application/json', 'content-length', length]);
    for (const piece of piecesOf(body)) response.write(piece);
    void (rest ?? discardRest(request, 2 * context.bodyBytes)).then(() => response.end());
  }
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
  let trace: Trace = {
    request: context.requestId(request),
    began: performance.now(),
    key: '',
    network: undefined,
    identity: undefined,
  };
  const traced = (key: string) => (trace = { ...trace, key });
  try {
    await route(context, traced, own, request, response);
  } catch (error) {
    if (request.errored || response.destroyed) return;
    const known = refusal(context, error, trace);
    const rest = request.complete ? undefined : discardRest(request, 2 * context.bodyBytes);
    if (known.status === 429 && !context.stopping()) {
      await delay(REST_MS);
      if (request.errored || response.destroyed) return;
    }
    const allow = known.status === 405 ? ALLOW : [];
    const headers = [...headersOf(trace), ...allow, ...retryHeaders(known)];
    send(context, request, response, { status: known.status, body: errorText(NO_ID, known.toJSON()), headers }, rest);
  }
}
