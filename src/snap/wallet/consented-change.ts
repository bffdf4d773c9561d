import { type JSXElement } from '@metamask/snaps-sdk/jsx';
import { type Consent } from './dialogs';
import { type Mutex } from '../../core/mutex';
import { same } from './state';

type Change<T> = {
  /** Reads the stored value. */
  readonly read: () => Promise<T>;
  /** The confirmation screen, given the stored value. */
  readonly screen: (before: T) => JSXElement;
  /** A check that runs before storing, but only after the user has agreed. */
  readonly check?: () => Promise<void>;
  readonly store: () => Promise<void>;
};

/**
 * Asks the user to approve a change, then stores it. No lock is held while the user is asked or the change is checked.
 * If the stored value changed in the meantime, the user is asked again with the current value.
 *
 * @throws {UserRejectedError} If the user rejects the change. Nothing is changed then.
 */
export async function consentedChange<T>(
  { read, screen, check, store }: Change<T>,
  { consent, mutations }: { readonly consent: Consent; readonly mutations: Mutex },
): Promise<void> {
  for (;;) {
    const shown = await read();
    await consent(screen(shown));
    await check?.();
    const isStored = await mutations.runExclusive(async () => {
      if (!same(await read(), shown)) return false;
      await store();
      return true;
    });
    if (isStored) return;
  }
}
