import { rule } from './struct';

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

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/u.test(hostname);

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function isServiceUrl(text: string): boolean {
  const url = parsed(text);
  if (url === undefined || text.length > 2048) return false;
  const { protocol, hostname, username, password } = url;
  // The URL parser reads 127.1, 2130706433, 0x7f.1 and 127.0.0.1. as 127.0.0.1, and localhost. is localhost too. Accept
  // only the plain spelling.
  const plain = `${protocol}//${hostname}`;
  if (text.slice(0, plain.length).toLowerCase() !== plain || hostname.endsWith('.')) return false;
  if (!/^(?:[:/?][!"$-[\]-~]*)?$/u.test(text.slice(plain.length)) || username !== '' || password !== '') return false;
  if (isLoopback(hostname)) return protocol === 'http:' || protocol === 'https:';
  return protocol === 'https:' && ![PRIVATE_IPV4, PRIVATE_IPV6, PRIVATE_NAME].some((hosts) => hosts.test(hostname));
}

/**
 * The URL of a node, bundler or paymaster service: https, or http for a loopback host. It must not have a user name, a
 * fragment, a host in a private network, or a host in an unusual spelling.
 *
 * @example
 * ```ts
 * ServiceUrlStruct.is('https://rpc.example.org/v1'); // => true
 * ServiceUrlStruct.is('http://localhost:8545'); // => true
 * ServiceUrlStruct.is('http://rpc.example.org'); // => false
 * ServiceUrlStruct.is('https://192.168.1.10'); // => false
 * ```
 */
export const ServiceUrlStruct = rule<string>(
  'must be an https URL of a public host, without user name, fragment or unusual host spelling; http is allowed only for localhost',
  (value) => typeof value === 'string' && isServiceUrl(value),
);

/**
 * The URL of a block explorer, to which `/tx/<hash>` can be appended: by the same rules, and without a query.
 *
 * @example
 * ```ts
 * ExplorerUrlStruct.is('https://explorer.example.org/mainnet'); // => true
 * ExplorerUrlStruct.is('https://explorer.example.org/?chain=1'); // => false
 * ExplorerUrlStruct.is('http://explorer.example.org'); // => false
 * ```
 */
export const ExplorerUrlStruct = rule<string>(
  'must be an https URL of a public host, without user name, query, fragment or unusual host spelling; http is allowed only for localhost',
  (value) => ServiceUrlStruct.is(value) && !value.includes('?'),
);
