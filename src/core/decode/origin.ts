/** The host of an origin: labels of letters, digits and hyphens, or an IP address. */
const WEB_ORIGIN = /^https?:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::[0-9]{1,5})?$/u;
const MAX_LENGTH = 300;
const LOOPBACK = /^https?:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.[0-9]+){3}|\[::1\])(?::|$)/u;
/** Names of this many labels may begin with somebody else's name. */
const MANY_LABELS = 5;

/**
 * Whether a text is the origin of a web page in its one spelling (RFC 6454, 6.2): ASCII, lower case, no path,
 * no default port, no dot at the end. Names of other alphabets are in it as `xn--…`.
 */
export function isWebOrigin(origin: string): boolean {
  if (origin.length > MAX_LENGTH || !WEB_ORIGIN.test(origin)) return false;
  try {
    return new URL(origin).origin === origin;
  } catch {
    return false;
  }
}

/** @returns Whether the page comes from this very machine, and says so in the one spelling of its name. */
export const isLoopbackOrigin = (origin: string): boolean => isWebOrigin(origin) && LOOPBACK.test(origin);

/** The end of a name: two labels, or three where the last but one is as short as those of registries, such as co.uk. */
const endOf = (labels: readonly string[]): string =>
  labels.slice((labels.at(-2) ?? '').length <= 3 ? -3 : -2).join('.');

/** What a person should know of an origin before trusting its name. Nothing for what is no web page. */
export function originCautions(origin: string): string[] {
  if (!isWebOrigin(origin)) return [];
  const host = origin.replace(/^https?:\/\//u, '').replace(/:[0-9]+$/u, '');
  const labels = host.split('.');
  const cautions: string[] = [];
  if (labels.some((label) => label.startsWith('xn--')))
    cautions.push(
      'The name of this site is written in letters of other alphabets, shown here as xn--…. It may imitate another site.',
    );
  if (host.startsWith('[') || /^[0-9.]+$/u.test(host)) {
    if (!isLoopbackOrigin(origin)) cautions.push('This site has no name, only a number: nobody vouches for who it is.');
  } else if (labels.length >= MANY_LABELS)
    cautions.push(`This site is part of ${endOf(labels)}, whatever its name begins with.`);
  if (origin.startsWith('http://') && !isLoopbackOrigin(origin))
    cautions.push('The connection to this site is not encrypted: others on the network can change what it asks for.');
  return cautions;
}
