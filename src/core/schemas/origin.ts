import { rule } from '../structs/struct';

/** Stands for Keystead's own home page where a screen says who asks. No origin contains spaces. */
export const HOME_PAGE = "Keystead's home page in MetaMask";

/** A scheme and a host: labels of letters, digits, hyphens and underscores, or an IP address. */
const WEB_ORIGIN = /^https?:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::[0-9]{1,5})?$/u;
const MAX_LENGTH = 300;
const LOOPBACK = /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.[0-9]+){3}|\[::1\])(?::|$)/u;
/** A name of this many labels may begin with the full name of another site. */
const MANY_LABELS = 5;

/**
 * @returns Whether a text is the origin of a web page in its canonical form (RFC 6454, 6.2): ASCII, lower case, no
 * path, no default port, no trailing dot. Names in other alphabets appear as `xn--…`.
 */
export function isWebOrigin(origin: string): boolean {
  if (origin.length > MAX_LENGTH || !WEB_ORIGIN.test(origin)) return false;
  try {
    return new URL(origin).origin === origin;
  } catch {
    return false;
  }
}

/** The origin of a web page in its canonical form. */
export const WebOriginStruct = rule<string>(
  'must be the origin of a web page',
  (value) => typeof value === 'string' && isWebOrigin(value),
);

/** @returns Whether the page comes from this machine, with its origin in canonical form. */
export const isLoopbackOrigin = (origin: string): boolean => isWebOrigin(origin) && LOOPBACK.test(origin);

/** The registrable part of a name: two labels, or three where the second to last is short, as in co.uk. */
const domainOf = (labels: readonly string[]): string =>
  labels.slice((labels.at(-2) ?? '').length <= 3 ? -3 : -2).join('.');

const hostOf = (origin: string): string => origin.replace(/^https?:\/\//u, '').replace(/:[0-9]+$/u, '');

const hasNumber = (host: string): boolean => host.startsWith('[') || /^[0-9.]+$/u.test(host);

/** @returns The name that all origins of one site share: without the scheme, the port and the names of its parts. */
export function siteName(origin: string): string {
  const host = hostOf(origin);
  return hasNumber(host) ? host : domainOf(host.split('.'));
}

/** A warning about an origin whose name should not be trusted. Empty if it is not a web page. */
export function originCautions(origin: string): string[] {
  if (!isWebOrigin(origin)) return [];
  const host = hostOf(origin);
  const labels = host.split('.');
  const cautions: string[] = [];
  if (labels.some((label) => label.startsWith('xn--')))
    cautions.push(
      'The name of this site contains letters of other alphabets, shown here as xn--…. It may imitate another site.',
    );
  if (hasNumber(host)) {
    if (!isLoopbackOrigin(origin))
      cautions.push('This site has no name, only a number. There is no way to tell who runs it.');
  } else if (labels.length >= MANY_LABELS)
    cautions.push(`This site belongs to ${domainOf(labels)}, whatever its name begins with.`);
  if (origin.startsWith('http://') && !isLoopbackOrigin(origin))
    cautions.push('The connection to this site is not encrypted. Others on the network can change what it asks for.');
  return cautions;
}
