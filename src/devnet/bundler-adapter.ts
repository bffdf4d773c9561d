import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

import { adaptRequest } from '../erc4337/adapter';
import { KeysteadError } from '../errors';

/** A running adapter: what MetaMask's controller may use as `bundlerUrl`. */
export type BundlerAdapter = { readonly url: string; readonly stop: () => Promise<void> };

type Options = {
  /** The bundler behind it. */
  readonly bundlerUrl: string;
  /** 0 takes a free one. */
  readonly port?: number;
};

/** Bytes of a request that are read at most. The largest honest ones carry an operation of some 100 kB. */
const MAX_REQUEST = 1024 * 1024;

/** The snap calls from an origin of its own, and so does the wallet. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'content-type',
  'access-control-allow-methods': 'POST',
};

const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } });

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_REQUEST) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** One request, or a batch of them. */
const adapted = (body: unknown): unknown =>
  Array.isArray(body) ? body.map((request) => adaptRequest(request)) : adaptRequest(body);

function parsed(text: string): { readonly body: unknown } | undefined {
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** What is sent on, or why it is not. */
function forwarded(text: string): { readonly send: string } | { readonly refuse: string } {
  const json = parsed(text);
  if (json === undefined) return { refuse: failure(null, -32700, 'The request is not JSON.') };
  try {
    return { send: JSON.stringify(adapted(json.body)) };
  } catch (error) {
    if (!(error instanceof KeysteadError)) throw error;
    const id = (json.body as { readonly id?: unknown } | null)?.id;
    return { refuse: failure(id, error.rpcCode, error.message) };
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, bundlerUrl: string): Promise<void> {
  const headers = { ...CORS, 'content-type': 'application/json' };
  if (request.method === 'OPTIONS') {
    response.writeHead(204, CORS).end();
    return;
  }
  if (request.method !== 'POST') {
    response.writeHead(405, CORS).end();
    return;
  }
  const text = await bodyOf(request);
  if (text === undefined) {
    response
      .writeHead(413, { ...headers, connection: 'close' })
      .end(failure(null, -32600, 'The request is too large.'));
    return;
  }
  const outcome = forwarded(text);
  if ('refuse' in outcome) {
    response.writeHead(200, headers).end(outcome.refuse);
    return;
  }
  const upstream = await fetch(bundlerUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: outcome.send,
  });
  response.writeHead(upstream.status, headers).end(await upstream.text());
}

/**
 * Starts a proxy in front of a bundler, on the loopback interface. Operations that come in the form of entry
 * point 0.6 for a later entry point, as MetaMask's UserOperationController sends them, go on in the form that
 * the bundler takes (ERC-7769); everything else passes unchanged.
 *
 * @throws If the port is taken.
 */
export async function startBundlerAdapter({ bundlerUrl, port = 0 }: Options): Promise<BundlerAdapter> {
  const server = createServer((request, response) => {
    answer(request, response, bundlerUrl).catch(() => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response
        .writeHead(502, { ...CORS, 'content-type': 'application/json' })
        .end(failure(null, -32603, 'The bundler behind the adapter did not answer.'));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actual}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
