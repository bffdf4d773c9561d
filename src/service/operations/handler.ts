import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Registry } from 'prom-client';

/** Whether one part of the service can work, and what more there is to say about it. */
export type PartState = {
  /** Why it cannot; empty if it can. */
  readonly problems: readonly string[];
  /** Without addresses. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
};

/** What operators ask about. */
export type Operations = {
  /** The metrics as text. One scrape is made at a time, for everyone who asks meanwhile. */
  readonly metrics: () => Promise<string>;
  readonly contentType: Registry['contentType'];
  /** The state of each part that is configured, by its name in `/readyz/<name>`. */
  readonly parts: Readonly<Record<string, () => Promise<PartState>>>;
};

const LOOPBACK_NAME = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/iu;
/** `http://host/path`, the form of a request to a proxy. */
const ABSOLUTE = /^https?:\/\/(?<host>[^/?#]*)(?<path>.*)$/iu;
const READY = /^\/(?:readyz|health)(?:\/(?<part>[a-z]+))?$/u;

/**
 * Whether a request to a loopback address really addresses it. A page whose own name resolves to it (DNS rebinding) and
 * a proxy that forwards everything both send another host name.
 *
 * @param host - `Host` header.
 */
const isLoopbackName = (host: string | undefined): boolean => LOOPBACK_NAME.test(host ?? '');

function sendJson(response: ServerResponse, status: number, value: object): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** 200 if everything that is asked about can work, else 503 with the problems. */
async function sendReadiness(response: ServerResponse, asked: Operations['parts']): Promise<void> {
  const states = await Promise.all(Object.values(asked).map((stateOf) => stateOf()));
  const problems = states.flatMap((state) => state.problems);
  sendJson(response, problems.length === 0 ? 200 : 503, {
    ...(problems.length === 0 ? { status: 'ok' } : { status: 'unavailable', problems }),
    ...Object.assign({}, ...states.map(({ details }) => details ?? {})),
  });
}

/** Answers a request on the listener of operators. */
export async function handleOperations(
  { method, url = '', headersDistinct }: IncomingMessage,
  response: ServerResponse,
  { metrics, contentType, parts }: Operations,
  isLocal: boolean,
): Promise<void> {
  const [field, another] = headersDistinct['host'] ?? [];
  const target = url.replace(/\?.*$/u, '');
  const { host = field, path = target } = ABSOLUTE.exec(target)?.groups ?? {};
  if (another !== undefined || host === '') {
    sendJson(response, 400, { error: 'the request must name one host' });
    return;
  }
  const reads = method === 'GET' || method === 'HEAD';
  const { part } = READY.exec(path)?.groups ?? {};
  const one = part === undefined ? undefined : parts[part];
  if (isLocal && !isLoopbackName(host)) sendJson(response, 404, { error: 'unknown host name' });
  else if (reads && path === '/livez') sendJson(response, 200, { status: 'ok' });
  else if (reads && READY.test(path) && part === undefined) await sendReadiness(response, parts);
  else if (reads && part !== undefined && one !== undefined) await sendReadiness(response, { [part]: one });
  else if (reads && path === '/metrics') {
    const body = await metrics();
    if (!response.destroyed) response.writeHead(200, { 'content-type': contentType }).end(body);
  } else {
    const asked = Object.keys(parts).map((name) => `/readyz/${name}`);
    sendJson(response, 404, { error: `use GET ${['/livez', '/readyz', ...asked].join(', ')} or /metrics` });
  }
}
