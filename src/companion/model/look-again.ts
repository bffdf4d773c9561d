import { type SnapClient } from './snap-client';

/** Milliseconds between two looks. */
const POLL_INTERVAL = 1000;

/**
 * Looks every second, while the page is visible, until there is an answer.
 *
 * @param look - Never opens a dialog. If it fails, the page looks again.
 * @returns A function that stops looking.
 */
function lookUntil<T>(look: () => Promise<T | undefined>, found: (answer: T) => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isWanted = true;
  const lookOnce = async (): Promise<void> => {
    const answer = document.hidden ? undefined : await look().catch(() => undefined);
    if (!isWanted) return;
    if (answer === undefined) timer = setTimeout(() => void lookOnce(), POLL_INTERVAL);
    else found(answer);
  };
  void lookOnce();
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}

/** Looks until a locked wallet is unlocked. @returns A function that stops looking. */
export const onUnlocked = (client: SnapClient, unlocked: () => void): (() => void) =>
  lookUntil(async () => ((await client.isLocked()) ? undefined : true), unlocked);

/**
 * Looks until the wallet has ended the removal of the snap, or has given it up.
 *
 * @param ended - Told whether the snap is still there.
 * @returns A function that stops looking.
 */
export const onRemovalEnded = (client: SnapClient, ended: (isThere: boolean) => void): (() => void) =>
  lookUntil(
    async () => {
      const presence = await client.presence();
      return presence === 'removing' ? undefined : presence;
    },
    (presence) => ended(presence === 'there'),
  );

/** Looks until the wallet no longer has the snap. @returns A function that stops looking. */
export const onGone = (client: SnapClient, gone: () => void): (() => void) =>
  lookUntil(async () => ((await client.isConnected()) ? undefined : true), gone);
