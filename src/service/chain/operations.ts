import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Registry } from 'prom-client';

import { RpcError } from './errors';
import { targetOf, type Target } from './target';

/** What `/health` and `/metrics` need. */
export type Operations = {
  metrics: Registry;
  /** Why the service cannot work; empty when it can. */
  problems: () => Promise<string[]>;
};

const LOOPBACK_NAME = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/iu;

/**
 * Whether a request to a loopback address was meant for it. A page whose own name leads there (DNS rebinding) and a
 * proxy that passes everything on both name somebody else.
 *
 * @param host - `Host` header.
 */
export const isLoopbackName = (host: string | undefined): boolean => LOOPBACK_NAME.test(host ?? '');

/**
 * Sends JSON.
 *
 * @param response - Has no headers yet.
 * @param status - HTTP status.
 * @param body - The JSON.
 * @param headers - More headers, name and value by turns.
 */
export function sendText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: readonly string[] = [],
): void {
  // As a string: head and body then go out in one write. As a list: headers that are set one by one cost more.
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, [...headers, 'content-type', 'application/json', 'content-length', length]);
  response.end(body);
}

/** Answers `GET /health` and `HEAD /health`: 200 when the service can work, else 503 and why not. */
export async function sendHealth(
  response: ServerResponse,
  { problems }: Operations,
  headers: readonly string[] = [],
): Promise<void> {
  const found = await problems();
  const health = found.length === 0 ? { status: 'ok' } : { status: 'unavailable', problems: found };
  sendText(response, found.length === 0 ? 200 : 503, JSON.stringify(health), headers);
}

/** Answers `GET /metrics` in the Prometheus text format. */
export async function sendMetrics(response: ServerResponse, { metrics }: Operations): Promise<void> {
  const body = await metrics.metrics();
  response.writeHead(200, { 'content-type': metrics.contentType });
  response.end(body);
}

/**
 * Answers the listener of its own that operators may open.
 *
 * @param local - Whether it is bound to a loopback address.
 */
export async function handleOperations(
  request: IncomingMessage,
  response: ServerResponse,
  operations: Operations,
  local: boolean,
): Promise<void> {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  let target: Target;
  try {
    target = targetOf(request);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    sendText(response, error.status, JSON.stringify({ error: error.message }));
    return;
  }
  const { path, host } = target;
  if (local && !isLoopbackName(host)) sendText(response, 404, JSON.stringify({ error: 'no such host here' }));
  else if (reads && path === '/health') await sendHealth(response, operations);
  else if (reads && path === '/metrics') await sendMetrics(response, operations);
  else sendText(response, 404, JSON.stringify({ error: 'GET /health or GET /metrics' }));
}
