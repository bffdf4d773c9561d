import { useEffect, useState } from 'preact/hooks';

import { partsOf } from './hash';

const read = (): readonly string[] => partsOf(location.hash);

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
