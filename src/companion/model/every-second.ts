const INTERVAL = 1000;

/**
 * Looks now, and every second after an answer that is not the last.
 *
 * @param look - Must not fail.
 * @param isEnough - Takes each answer. Returns whether it is the last.
 * @returns A function that stops looking.
 */
export function everySecond<T>(look: () => Promise<T>, isEnough: (answer: T) => boolean): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isWanted = true;
  const lookOnce = async (): Promise<void> => {
    const answer = await look();
    if (isWanted && !isEnough(answer)) timer = setTimeout(() => void lookOnce(), INTERVAL);
  };
  void lookOnce();
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}
