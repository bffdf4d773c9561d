import { type IncomingMessage, type ServerResponse } from 'node:http';

import { isLoopbackOrigin } from '../core/schemas/origin';

/**
 * @param limit - In bytes.
 * @throws If the body is larger.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw new Error(`the body: must be at most ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Sends JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/**
 * @returns The headers that let a page of this machine read the response (CORS); none for a program, which sends no
 * origin; undefined for any other page.
 */
export function localPageHeaders({ headers: { origin } }: IncomingMessage): Record<string, string> | undefined {
  if (origin === undefined) return {};
  return isLoopbackOrigin(origin) ? { 'access-control-allow-origin': origin, vary: 'origin' } : undefined;
}
