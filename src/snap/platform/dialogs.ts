import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { UserRejectedError, WalletRefusedError } from '../../core/errors';
import { Mutex } from './mutex';

/**
 * Asks the person at the wallet.
 *
 * @throws {UserRejectedError} Unless they say yes: "no" and closing the dialog are the same.
 * @throws {WalletRefusedError} If the wallet cannot show the question.
 */
export type Consent = (content: JSXElement) => Promise<void>;

async function confirm(shown: { content: JSXElement } | { id: string }): Promise<void> {
  let answer;
  try {
    answer = await snap.request({ method: 'snap_dialog', params: { type: 'confirmation', ...shown } });
  } catch {
    throw new WalletRefusedError('The wallet could not ask for consent. Nothing was done.');
  }
  if (answer !== true) throw new UserRejectedError();
}

export const snapConsent: Consent = (content) => confirm({ content });

/** Shows the person something, until they close it. */
export type Tell = (content: JSXElement) => Promise<void>;

export const snapTell: Tell = async (content) => {
  try {
    await snap.request({ method: 'snap_dialog', params: { type: 'alert', content } });
  } catch {
    throw new WalletRefusedError('The wallet could not show it.');
  }
};

/**
 * Replaces what an open page shows.
 *
 * @throws {WalletRefusedError} If the wallet goes on showing what it showed.
 */
export type Redraw = (interfaceId: string, content: JSXElement) => Promise<void>;

export const snapRedraw: Redraw = async (interfaceId, content) => {
  try {
    await snap.request({ method: 'snap_updateInterface', params: { id: interfaceId, ui: content } });
  } catch {
    throw new WalletRefusedError('The wallet could not show what is there now. Open the page again.');
  }
};

/** A question with something to fill in: what it shows follows from what is filled in, and so does the answer. */
type Question<Value> = {
  readonly initial: Value;
  readonly draw: (value: Value) => JSXElement;
  /** @returns What is filled in after an input event of any form. */
  readonly change: (value: Value, event: unknown) => Value;
};

/**
 * Asks the person to fill something in.
 *
 * @returns What the screen showed when they said yes.
 * @throws {UserRejectedError} Unless they say yes.
 */
export type Ask = <Value>(question: Question<Value>) => Promise<Value>;

/** The questions that are open, by the id of their interface. */
const open = new Map<string, (event: unknown) => Promise<void>>();

export const snapAsk: Ask = async ({ initial, draw, change }) => {
  let filledIn = initial;
  let shown = initial;
  const id = await snap.request({ method: 'snap_createInterface', params: { ui: draw(shown) } }).catch(() => {
    throw new WalletRefusedError('The wallet could not ask. Nothing was done.');
  });
  // One after the other: what was shown last is what counts, in whatever order the wallet answers.
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

/** @returns Whether an input event was one of an open question, and is dealt with. */
export async function answerQuestion(interfaceId: string, event: unknown): Promise<boolean> {
  const onInput = open.get(interfaceId);
  await onInput?.(event);
  return onInput !== undefined;
}
