import type { IncomingMessage } from 'node:http';

import { invalidRequest } from './errors';

/** The target of a request: its path without the query, and the host it names. */
export type Target = { path: string; host: string | undefined };

/** `http://host/path`, the form of a request to a proxy. */
const ABSOLUTE = /^https?:\/\/(?<host>[^/?#]*)(?<path>.*)$/iu;
/** The query has no meaning for any path of this service. */
const QUERY = /\?.*$/u;

/**
 * Parses a request target in either form: a path alone, or an absolute URL, whose host then replaces the `Host` header
 * (RFC 9112, section 3.2.2).
 *
 * @param request - A request.
 * @returns Path and host.
 * @throws {RpcError} With status 400 if there are several `Host` headers (section 3.2), which may mean different
 * networks; or if the URL names no host, or contains user info (RFC 9110, section 4.2.4).
 */
export function targetOf({ url = '', headersDistinct }: IncomingMessage): Target {
  const [field, another] = headersDistinct['host'] ?? [];
  if (another !== undefined) throw invalidRequest('more than one Host header', 400);
  const target = url.replace(QUERY, '');
  const { host, path } = ABSOLUTE.exec(target)?.groups ?? {};
  if (host === undefined || path === undefined) return { path: target, host: field };
  if (host === '' || host.includes('@'))
    throw invalidRequest('the URL in the request line must contain a host and no user info', 400);
  return { path: path.startsWith('/') ? path : `/${path}`, host };
}
