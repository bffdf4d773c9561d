import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { UserRejectedError, WalletRefusedError } from '../../core/errors';
import { Mutex } from '../../core/mutex';

/**
 * Asks the user for consent.
 *
 * @throws {UserRejectedError} If the user rejects the request or closes the dialog.
 * @throws {WalletRefusedError} If MetaMask cannot show the dialog.
 */
export type Consent = (content: JSXElement) => Promise<void>;

async function confirm(shown: { content: JSXElement } | { id: string }): Promise<void> {
  let answer;
  try {
    answer = await snap.request({ method: 'snap_dialog', params: { type: 'confirmation', ...shown } });
  } catch {
    throw new WalletRefusedError('The wallet could not show the confirmation. Nothing was done.');
  }
  if (answer !== true) throw new UserRejectedError();
}

export const snapConsent: Consent = (content) => confirm({ content });

/** Shows the user a message until they close it. */
export type Tell = (content: JSXElement) => Promise<void>;

export const snapTell: Tell = async (content) => {
  try {
    await snap.request({ method: 'snap_dialog', params: { type: 'alert', content } });
  } catch {
    throw new WalletRefusedError('The wallet could not show the dialog.');
  }
};

/**
 * Updates the content of an open page or dialog.
 *
 * @throws {WalletRefusedError} If MetaMask keeps showing the old content.
 */
export type Redraw = (interfaceId: string, content: JSXElement) => Promise<void>;

export const snapRedraw: Redraw = async (interfaceId, content) => {
  try {
    await snap.request({ method: 'snap_updateInterface', params: { id: interfaceId, ui: content } });
  } catch {
    throw new WalletRefusedError('The wallet could not update the page. Open it again.');
  }
};

/** A dialog with a form. Its content and its result depend on the form's value. */
type Question<Value> = {
  readonly initial: Value;
  readonly draw: (value: Value) => JSXElement;
  /** @returns The form's value after an input event, which is not validated. */
  readonly change: (value: Value, event: unknown) => Value;
};

/**
 * Asks the user to fill in a form.
 *
 * @returns The value that the dialog showed when the user approved it.
 * @throws {UserRejectedError} If the user rejects the request or closes the dialog.
 */
export type Ask = <Value>(question: Question<Value>) => Promise<Value>;

/** The open forms, by interface id. */
const open = new Map<string, (event: unknown) => Promise<void>>();

export const snapAsk: Ask = async ({ initial, draw, change }) => {
  let filledIn = initial;
  let shown = initial;
  const id = await snap.request({ method: 'snap_createInterface', params: { ui: draw(shown) } }).catch(() => {
    throw new WalletRefusedError('The wallet could not show the dialog. Nothing was done.');
  });
  // Redraw sequentially: the value shown last counts, in whatever order MetaMask responds.
  const redraws = new Mutex();
  open.set(id, (event) =>
    redraws.runExclusive(async () => {
      const next = (filledIn = change(filledIn, event));
      await snapRedraw(id, draw(next));
      shown = next;
    }),
  );
  try {
    await confirm({ id });
  } finally {
    open.delete(id);
  }
  return shown;
};

/** @returns Whether the event belonged to an open form and was handled. */
export async function answerQuestion(interfaceId: string, event: unknown): Promise<boolean> {
  const onInput = open.get(interfaceId);
  await onInput?.(event);
  return onInput !== undefined;
}
