import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Registry } from 'prom-client';

/** What `/health` and `/metrics` need. */
export type Operations = {
  metrics: Registry;
  /** Why the service cannot work; empty when it can. */
  problems: () => Promise<string[]>;
};

/** Sends JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  // As a string: head and body then go out in one write.
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** Answers `GET /health`: 200 when the service can work, else 503 and why not. */
export async function sendHealth(response: ServerResponse, { problems }: Operations): Promise<void> {
  const found = await problems();
  if (found.length === 0) sendJson(response, 200, { status: 'ok' });
  else sendJson(response, 503, { status: 'unavailable', problems: found });
}

/** Answers `GET /metrics` in the Prometheus text format. */
export async function sendMetrics(response: ServerResponse, { metrics }: Operations): Promise<void> {
  const body = await metrics.metrics();
  response.writeHead(200, { 'content-type': metrics.contentType });
  response.end(body);
}

/** Answers the listener of its own that operators may open. */
export async function handleOperations(
  request: IncomingMessage,
  response: ServerResponse,
  operations: Operations,
): Promise<void> {
  if (request.method === 'GET' && request.url === '/health') await sendHealth(response, operations);
  else if (request.method === 'GET' && request.url === '/metrics') await sendMetrics(response, operations);
  else sendJson(response, 404, { error: 'GET /health or GET /metrics' });
}
