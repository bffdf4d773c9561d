import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { UserRejectedError, WalletRefusedError } from '../errors';

/**
 * Asks the person at the wallet.
 *
 * @throws {UserRejectedError} Unless they say yes: "no" and closing the dialog are the same.
 * @throws {WalletRefusedError} If the wallet cannot show the question.
 */
export type Consent = (content: JSXElement) => Promise<void>;

export const snapConsent: Consent = async (content) => {
  let answer;
  try {
    answer = await snap.request({ method: 'snap_dialog', params: { type: 'confirmation', content } });
  } catch {
    throw new WalletRefusedError('The wallet could not ask for consent. Nothing was done.');
  }
  if (answer !== true) throw new UserRejectedError('The request was refused in the wallet.');
};

/** Replaces what an open page shows. */
export type Redraw = (interfaceId: string, content: JSXElement) => Promise<void>;

export const snapRedraw: Redraw = async (interfaceId, content) => {
  await snap.request({ method: 'snap_updateInterface', params: { id: interfaceId, ui: content } });
};
