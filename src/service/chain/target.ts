import type { IncomingMessage } from 'node:http';

import { invalidRequest } from './errors';

/** What a request is for: the path, without what may stand behind a `?`, and the host that it names. */
export type Target = { path: string; host: string | undefined };

/** `http://host/path`, as a request to a proxy has it. */
const ABSOLUTE = /^https?:\/\/(?<host>[^/?#]*)(?<path>.*)$/iu;
/** No address here means another with a query. */
const QUERY = /\?.*$/u;

/**
 * Reads what a request is for, in either form: a path alone, or an absolute address, whose host then counts in place of
 * the `Host` field (RFC 9112, section 3.2.2).
 *
 * @param request - A request.
 * @returns Path and host.
 * @throws {RpcError} With status 400 if there are several `Host` fields (section 3.2): they may mean different networks;
 * or if the address names no host, or a user with it (RFC 9110, section 4.2.4).
 */
export function targetOf({ url = '', headersDistinct }: IncomingMessage): Target {
  const [field, another] = headersDistinct['host'] ?? [];
  if (another !== undefined) throw invalidRequest('more than one Host field', 400);
  const target = url.replace(QUERY, '');
  const { host, path } = ABSOLUTE.exec(target)?.groups ?? {};
  if (host === undefined || path === undefined) return { path: target, host: field };
  if (host === '' || host.includes('@'))
    throw invalidRequest('the address in the request line must name a host, and no user', 400);
  return { path: path.startsWith('/') ? path : `/${path}`, host };
}
