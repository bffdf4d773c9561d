import { type JSXElement } from '@metamask/snaps-sdk/jsx';
import { type Consent } from '../platform/dialogs';
import { type Mutex } from '../platform/mutex';

type Change<T> = {
  /** What is stored now. */
  readonly read: () => Promise<T>;
  /** What the person is shown, from what is stored. */
  readonly screen: (before: T) => JSXElement;
  /** What must hold before it is stored, and may be looked at only once the person has agreed. */
  readonly check?: () => Promise<void>;
  readonly store: () => Promise<void>;
};

/** Whether two values that are JSON, or screens, are the same. */
export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Shows a change of what is stored, and stores it. No lock is held while the person is asked or the change
 * is checked; if what is stored became another one meanwhile, the person is asked again, with what is old now.
 *
 * @throws {UserRejectedError} If the change is refused. Nothing is changed then.
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
