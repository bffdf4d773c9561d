import { useEffect, useState } from 'preact/hooks';

/** What cannot be decoded was not made by `linkTo`, and stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const read = (): readonly string[] => location.hash.replace(/^#\/?/u, '').split('/').filter(Boolean).map(decoded);

/** The parts of the address after `#/`: which view, and of what. */
export function useRoute(): readonly string[] {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const follow = (): void => {
      setRoute(read());
    };
    window.addEventListener('hashchange', follow);
    return () => {
      window.removeEventListener('hashchange', follow);
    };
  }, []);
  return route;
}

export const linkTo = (...parts: readonly string[]): string => `#/${parts.map(encodeURIComponent).join('/')}`;
