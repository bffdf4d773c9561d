import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Registry } from 'prom-client';

import { RpcError } from './errors';
import { byteLengthOf, type Json, piecesOf } from './json-text';
import { targetOf, type Target } from './target';
import type { NodeState } from './upstreams/chain-node';

/** The inputs of `/readyz`, `/health` and `/metrics`. */
export type Operations = {
  metrics: Registry;
  /** Why the service cannot work; empty if it can. */
  problems: () => Promise<string[]>;
  /** The state of each node by network, in order of preference, without addresses: anyone may ask. */
  nodes: () => Record<string, NodeState[]>;
};

const LOOPBACK_NAME = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/iu;

/**
 * Whether a request to a loopback address really addresses it. A page whose own name resolves to it (DNS rebinding) and
 * a proxy that forwards everything both send another host name.
 *
 * @param host - `Host` header.
 */
export const isLoopbackName = (host: string | undefined): boolean => LOOPBACK_NAME.test(host ?? '');

/**
 * Sends JSON.
 *
 * @param response - Must have no headers yet.
 * @param status - HTTP status.
 * @param body - The JSON.
 * @param headers - More headers, alternating names and values.
 */
export function sendJson(response: ServerResponse, status: number, body: Json, headers: readonly string[] = []): void {
  // A string body goes out with the head in one write; headers as a list are cheaper than setting each.
  const length = String(byteLengthOf(body));
  response.writeHead(status, [...headers, 'content-type', 'application/json', 'content-length', length]);
  const pieces = piecesOf(body);
  for (const piece of pieces.slice(0, -1)) response.write(piece);
  response.end(pieces.at(-1));
}

/** Whether a path asks whether the service can work. `/health` is the older name of `/readyz`. */
export const asksForReadiness = (path: string): boolean => path === '/readyz' || path === '/health';

/**
 * Answers `/livez`: 200 as long as the process answers at all. Restarting it would not repair what `/readyz` reports.
 */
export const sendLive = (response: ServerResponse, headers: readonly string[] = []): void => {
  sendJson(response, 200, JSON.stringify({ status: 'ok' }), headers);
};

/**
 * Answers `GET` and `HEAD` of `/readyz` and `/health`: 200 if the service can work, else 503 with the problems. A node
 * that is down is none of them: every process asks the same nodes, and answers from its archive without them.
 */
export async function sendHealth(
  response: ServerResponse,
  { problems, nodes }: Operations,
  headers: readonly string[] = [],
): Promise<void> {
  const found = await problems();
  const states = nodes();
  const health = {
    ...(found.length === 0 ? { status: 'ok' } : { status: 'unavailable', problems: found }),
    ...(Object.keys(states).length > 0 && { nodes: states }),
  };
  sendJson(response, found.length === 0 ? 200 : 503, JSON.stringify(health), headers);
}

/** Answers `GET /metrics` in the Prometheus text format. */
export async function sendMetrics(response: ServerResponse, { metrics }: Operations): Promise<void> {
  const body = await metrics.metrics();
  response.writeHead(200, { 'content-type': metrics.contentType });
  response.end(body);
}

/**
 * Handles requests on the optional listener for operators.
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
    sendJson(response, error.status, JSON.stringify({ error: error.message }));
    return;
  }
  const { path, host } = target;
  if (local && !isLoopbackName(host)) sendJson(response, 404, JSON.stringify({ error: 'unknown host name' }));
  else if (reads && path === '/livez') sendLive(response);
  else if (reads && asksForReadiness(path)) await sendHealth(response, operations);
  else if (reads && path === '/metrics') await sendMetrics(response, operations);
  else sendJson(response, 404, JSON.stringify({ error: 'use GET /livez, /readyz, /health or /metrics' }));
}
