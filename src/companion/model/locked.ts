import { type SnapClient } from './snap-client';

/** Milliseconds between two looks at whether the wallet was unlocked. */
const POLL_INTERVAL = 1000;

/**
 * Looks every second, while the page is visible, whether a locked wallet was unlocked. Never opens a dialog.
 *
 * @returns A function that stops looking.
 */
export function onUnlocked(client: SnapClient, unlocked: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let isWanted = true;
  const look = async (): Promise<void> => {
    const isLocked = document.hidden || (await client.isLocked());
    if (!isWanted) return;
    if (isLocked) timer = setTimeout(() => void look(), POLL_INTERVAL);
    else unlocked();
  };
  void look();
  return () => {
    isWanted = false;
    clearTimeout(timer);
  };
}
