/** IPv4 ranges without public services (RFC 6890; multicast and above: RFC 5771), except loopback. */
const PRIVATE_IPV4 =
  /^(?:0|10|192\.168|192\.0\.0|198\.1[89]|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|22[4-9]|2[345]\d)\.[\d.]+$/u;

/**
 * Unique local, link-local, site-local, multicast, unspecified, and IPv4 in IPv6 (RFC 4193, 4291, 6052, 3056); loopback
 * is tested first.
 */
const PRIVATE_IPV6 = /^\[(?:f[cdf]|fe[89a-f]|::|64:ff9b:|2002:)/u;

/**
 * Host names that public resolvers do not resolve (RFC 6761, RFC 6762 and its appendix G, RFC 8375), and names of one
 * label.
 */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)$|^[^.[]+$/u;

/** @returns Whether a host name stands for this machine. */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/u.test(hostname);

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The rule of {@link isServiceUrl}, as the rest of an error message. */
export const SERVICE_URL_RULE =
  'must be an https URL of a public host, without user name, fragment or unusual host spelling; http is allowed only for localhost';

/**
 * @returns Whether a value is the URL of a node, bundler or paymaster service; see `ServiceUrlStruct`. This is a
 * function and not a struct, because `keystead/provider` must stay small.
 */
export function isServiceUrl(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > 2048) return false;
  const url = parsed(text);
  if (url === undefined) return false;
  const { protocol, hostname, username, password } = url;
  // The URL parser reads 127.1, 2130706433, 0x7f.1 and 127.0.0.1. as 127.0.0.1, and localhost. is localhost too. Accept
  // only the plain spelling.
  const plain = `${protocol}//${hostname}`;
  if (text.slice(0, plain.length).toLowerCase() !== plain || hostname.endsWith('.')) return false;
  if (!/^(?:[:/?][!"$-[\]-~]*)?$/u.test(text.slice(plain.length)) || username !== '' || password !== '') return false;
  if (isLoopback(hostname)) return protocol === 'http:' || protocol === 'https:';
  return protocol === 'https:' && ![PRIVATE_IPV4, PRIVATE_IPV6, PRIVATE_NAME].some((hosts) => hosts.test(hostname));
}
