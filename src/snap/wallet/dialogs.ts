import { type DialogParams, type Json } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { ProviderError, UserRejectedError, WalletRefusedError } from '../../core/errors';
import { Mutex } from '../../core/mutex';

/**
 * The kinds of dialog. MetaMask shows one of each at a time, and refuses a second one. `custom` is one without a type,
 * of which the snap draws the buttons.
 */
export type DialogKind = 'confirmation' | 'alert' | 'custom';

/**
 * Shows a dialog when no other one of its kind is open.
 *
 * @param show - Shows it. Its argument rejects all requests of the site, if the user should be offered to.
 */
export type InTurn = <T>(kind: DialogKind, show: (rejectAll?: () => void) => Promise<T>) => Promise<T>;

/**
 * Asks the user for consent.
 *
 * @throws {UserRejectedError} If the user rejects the request or closes the dialog.
 * @throws {ProviderError} -32002 if other dialogs are open for too long.
 * @throws {WalletRefusedError} If MetaMask cannot show the dialog.
 */
export type Consent = (content: JSXElement) => Promise<void>;

/** Shows the user a message until they close it. */
export type Tell = (content: JSXElement) => Promise<void>;

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

/** How a caller asks the user. */
export type SnapDialogs = {
  readonly consent: Consent;
  /** The same in a kind of dialog that nothing else uses, so that it never waits for another request. */
  readonly consentAtOnce: Consent;
  readonly ask: Ask;
  readonly tell: Tell;
};

/** The screens and the events of the choices that dialogs offer beside their content. */
export type DialogParts = {
  readonly withRejectAll: (content: JSXElement) => JSXElement;
  /** @returns Whether the box is checked; undefined for another event. */
  readonly rejectsAll: (event: unknown) => boolean | undefined;
  readonly withApprove: (content: JSXElement) => JSXElement;
  readonly approves: (event: unknown) => boolean;
};

/** The open forms, by interface id. */
const open = new Map<string, (event: unknown) => Promise<void>>();

/** @returns Whether the event belonged to an open form and was handled. */
export async function answerQuestion(interfaceId: string, event: unknown): Promise<boolean> {
  const onInput = open.get(interfaceId);
  await onInput?.(event);
  return onInput !== undefined;
}

/** The code of a wallet that shows a dialog of this kind already, which an earlier run of this snap may have opened. */
const ALREADY_OPEN = -32002;

/** The only thing that a site learns if a dialog has to wait for too long, whoever's dialog it waits for. */
export const busy = (): ProviderError =>
  new ProviderError('too-many-requests', 'Too many requests are waiting for the user. Try again later.');

const notShown = (error: unknown): ProviderError | WalletRefusedError =>
  (error as { readonly code?: unknown } | null)?.code === ALREADY_OPEN
    ? busy()
    : new WalletRefusedError('The wallet could not show the dialog. Nothing was done.');

type Shown = { readonly content: JSXElement } | { readonly id: string };

async function showDialog(kind: DialogKind, shown: Shown): Promise<Json> {
  try {
    return await snap.request({
      method: 'snap_dialog',
      params: { ...(kind !== 'custom' && { type: kind }), ...shown } as DialogParams,
    });
  } catch (error) {
    throw notShown(error);
  }
}

const assertApproved = (answer: Json): void => {
  if (answer !== true) throw new UserRejectedError();
};

/** Shows a dialog whose events the snap gets. @returns The user's answer. */
async function showForm(
  kind: DialogKind,
  content: JSXElement,
  onInput: (event: unknown, id: string) => Promise<void>,
): Promise<Json> {
  const id = await snap.request({ method: 'snap_createInterface', params: { ui: content } }).catch(() => {
    throw new WalletRefusedError('The wallet could not show the dialog. Nothing was done.');
  });
  open.set(id, (event) => onInput(event, id));
  try {
    return await showDialog(kind, { id });
  } finally {
    open.delete(id);
  }
}

/** The consent of a caller that has all dialogs to itself. */
export const snapConsent: Consent = async (content) => {
  assertApproved(await showDialog('confirmation', { content }));
};

/** @returns The dialogs of one caller. */
export function snapDialogs(inTurn: InTurn, parts: DialogParts): SnapDialogs {
  /** Shows a form, and below it the offer to reject all requests, which decides whatever else is answered. */
  const askOffering = async <Value>(
    { initial, draw, change }: Question<Value>,
    rejectAll: (() => void) | undefined,
  ): Promise<Value> => {
    const drawn = (value: Value): JSXElement =>
      rejectAll === undefined ? draw(value) : parts.withRejectAll(draw(value));
    let filledIn = initial;
    let shown = initial;
    let isRejectingAll = false;
    // Redraw sequentially: the value shown last counts, in whatever order MetaMask responds.
    const redraws = new Mutex();
    const answer = await showForm('confirmation', drawn(shown), (event, id) => {
      const rejects = rejectAll && parts.rejectsAll(event);
      if (rejects !== undefined) {
        isRejectingAll = rejects;
        return Promise.resolve();
      }
      return redraws.runExclusive(async () => {
        const next = (filledIn = change(filledIn, event));
        await snapRedraw(id, drawn(next));
        shown = next;
      });
    });
    if (isRejectingAll) {
      rejectAll?.();
      throw new UserRejectedError();
    }
    assertApproved(answer);
    return shown;
  };

  return {
    consent: (content) =>
      inTurn('confirmation', async (rejectAll) => {
        if (rejectAll === undefined) await snapConsent(content);
        else await askOffering({ initial: undefined, draw: () => content, change: () => undefined }, rejectAll);
      }),
    consentAtOnce: (content) =>
      inTurn('custom', async () => {
        assertApproved(
          await showForm('custom', parts.withApprove(content), async (event, id) => {
            if (parts.approves(event))
              await snap.request({ method: 'snap_resolveInterface', params: { id, value: true } });
          }),
        );
      }),
    ask: (question) => inTurn('confirmation', (rejectAll) => askOffering(question, rejectAll)),
    tell: (content) =>
      inTurn('alert', async () => {
        await showDialog('alert', { content });
      }),
  };
}
