import { useEffect, useState } from 'preact/hooks';

import { partsOf } from './hash';

const read = (): readonly string[] => partsOf(location.hash);

/** @returns The parts of the current URL hash: the view, then its parameters. */
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
