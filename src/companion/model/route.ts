import { useEffect, useState } from 'preact/hooks';

/** Malformed percent-encoding, as in someone else's link, is kept as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @returns The decoded parts of a URL hash such as `#/explorer/block/1`. */
export const partsOf = (hash: string): readonly string[] =>
  hash.replace(/^#\/?/u, '').split('/').filter(Boolean).map(decoded);

const read = (): readonly string[] => partsOf(location.hash);

/** @returns The parts of the current URL hash: the view, then its parameters. */
export function useRoute(): readonly string[] {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const follow = (): void => setRoute(read());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return route;
}

export const linkTo = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;

/** @returns The whole URL of a view, for another browser. */
export const wholeLink = (...parts: readonly string[]): string =>
  `${location.origin}${location.pathname}${linkTo(...parts)}`;
