import { useEffect, useState } from 'preact/hooks';

/** How often an open page looks for recoveries again, in milliseconds. */
const LOOK_AGAIN = 600_000;

/** @returns A number that grows every ten minutes, when the network is to be asked again, and a way to ask at once. */
export function useRounds(): readonly [round: number, look: () => void] {
  const [round, setRound] = useState(0);
  const look = (): void => setRound((before) => before + 1);
  useEffect(() => {
    const timer = setInterval(look, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, []);
  return [round, look];
}
