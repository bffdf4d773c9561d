import { type IncomingMessage } from 'node:http';
import type { KeyIdentity } from '../../keys';
import { RequestError } from '../errors';

/** Whose files a request is about: the ID of a key, and what it may do. */
export type Tenant = Pick<KeyIdentity, 'id' | 'limits'> & Partial<Pick<KeyIdentity, 'name'>>;

/**
 * Authenticates a caller: resolves to the tenant, or to undefined if the key or its secret is wrong.
 *
 * @throws RequestError 503 as a rejection, if that cannot be known now.
 */
export type Authenticate = (key: string, secret: string) => Promise<Tenant | undefined>;

const DENIED =
  'Access denied: send the API key and its secret as HTTP basic credentials (user = key, password = secret).';

/** The origins that browsers may call from: `*`, exact origins (`null` for snaps), and the server's own. */
export class OriginPolicy {
  readonly #allowed: ReadonlySet<string>;

  /** @param port where the server listens; its own loopback origins are always allowed. */
  constructor(origins: readonly string[], port: number) {
    const own = ['127.0.0.1', '[::1]', 'localhost'].flatMap((host) => [
      `http://${host}:${port}`,
      `https://${host}:${port}`,
    ]);
    this.#allowed = new Set([...origins, ...own]);
  }

  allows(origin: string): boolean {
    return this.#allowed.has('*') || this.#allowed.has(origin);
  }

  /** The value of `Access-Control-Allow-Origin` for a request; undefined for none. */
  allowOrigin(request: IncomingMessage): string | undefined {
    const { origin } = request.headers;
    return origin !== undefined && this.allows(origin) ? origin : undefined;
  }

  /** @throws RequestError 403 if a browser sends the request from a page that is not allowed. */
  check(request: IncomingMessage): void {
    const { origin, referer, 'user-agent': agent = '' } = request.headers;
    const forbidden = () => new RequestError(403, '403 - Forbidden');
    if (origin !== undefined) {
      if (!this.allows(origin)) throw forbidden();
    } else if (referer !== undefined) {
      if (!this.allows(originOf(referer))) throw forbidden();
    } else if (agent.startsWith('Mozilla') && !agent.includes('Electron') && !this.#allowed.has('*')) {
      throw forbidden();
    }
  }
}

function originOf(referer: string): string {
  try {
    return new URL(referer).origin;
  } catch {
    return referer;
  }
}

/** The tenant of a request. @throws RequestError 403 without valid credentials, 503 if they cannot be checked now. */
export async function tenantOf(request: IncomingMessage, authenticate: Authenticate): Promise<Tenant> {
  const [scheme = '', encoded = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'basic') throw new RequestError(403, DENIED);
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = credentials.indexOf(':');
  const tenant = colon < 0 ? undefined : await authenticate(credentials.slice(0, colon), credentials.slice(colon + 1));
  if (tenant === undefined) throw new RequestError(403, DENIED);
  return tenant;
}
