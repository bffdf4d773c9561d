import { RemovedError } from './errors';
import { onGone } from './look-again';
import { type SnapClient } from './snap-client';

/** Milliseconds after which a person is told why a wallet may not have answered. */
const SLOW = 15_000;
/** Milliseconds after which a wallet that refused is asked again. */
const AGAIN = 1000;

/** What the page waits for: an answer that takes long, or that the wallet has removed the snap. */
export type Waiting = 'answer' | 'removal';

/**
 * Connects the page to the snap. A wallet that is removing the snap meanwhile refuses, or never answers: then the page
 * waits until the snap is gone, and asks again.
 *
 * @param tell - Told what the page waits for.
 * @throws The error of the wallet; also that the person rejected.
 */
export async function connectSnap(client: SnapClient, tell: (waiting: Waiting) => void): Promise<void> {
  for (;;) {
    const wasThere = await client.isConnected();
    let stop: (() => void) | undefined;
    // A snap that was not there is not removed: the person has not answered yet.
    const gone = new Promise<'gone'>((resolve) => {
      if (wasThere) stop = onGone(client, () => resolve('gone'));
    });
    const slow = setTimeout(() => tell('answer'), SLOW);
    const connecting = client.connect().then(
      () => 'connected' as const,
      (error: unknown) => {
        if (error instanceof RemovedError) return 'refused' as const;
        throw error;
      },
    );
    try {
      const outcome = await Promise.race([connecting, gone]);
      if (outcome === 'connected') return;
      clearTimeout(slow);
      tell('removal');
      if (outcome === 'refused') await (wasThere ? gone : new Promise((resolve) => setTimeout(resolve, AGAIN)));
    } finally {
      clearTimeout(slow);
      stop?.();
      // The wallet may still refuse what it was asked first.
      connecting.catch(() => undefined);
    }
  }
}
