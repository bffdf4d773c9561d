import { type Json } from '@metamask/snaps-sdk';

import { SnapInProcess } from '../wallet/in-process';
import { type WalletDouble } from '../wallet/wallet-double';

/** The second screen of a request that cannot succeed. */
const SECOND = /^Sign even though it will fail\?/u;

/** The screens that ask for consent; the second one of what cannot succeed is left out. */
export const firstScreens = (screens: readonly string[]): readonly string[] =>
  screens.filter((text) => !SECOND.test(text));

/** @returns The screens of a request, a sentence or label a line, or its error. */
export const shownBy = ({ error, screens }: Outcome): readonly string[] =>
  error === undefined ? screens.flatMap((text) => text.split(/(?<=[.:?!]) /u)) : [error.message];

/** The outcome of a request: a result or an error, and the screens shown before it. */
export type Outcome = {
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
  readonly screens: readonly string[];
};

/** The result of an account method, which is never pending. */
async function resultOf(submitted: Promise<Json>): Promise<Json> {
  const answer = await submitted;
  expect(answer).toMatchObject({ pending: false });
  return (answer as { result: Json }).result;
}

/** Starts the snap on a wallet. @returns The snap, and its entry points, which return the outcome of a request. */
export function startForOutcomes(wallet: WalletDouble) {
  const snap = new SnapInProcess(wallet);
  async function outcomeOf(request: Promise<Json>): Promise<Outcome> {
    const result = await request.then(
      (answer) => ({ result: answer }),
      (thrown: unknown) => {
        const { code, message, data } = thrown as NonNullable<Outcome['error']>;
        // MetaMask stops a snap that throws anything else.
        if (!Number.isSafeInteger(code)) throw thrown;
        return { error: { code, message, data } };
      },
    );
    return { ...result, screens: wallet.dialogs.splice(0).map(({ text }) => text) };
  }
  return {
    snap,
    keyring: (method: string, params?: unknown) => outcomeOf(snap.keyring(method, params as Json)),
    dapp: (origin: string, method: string, params?: unknown) => outcomeOf(snap.dapp(method, params as Json, origin)),
    submit: (account: string, method: string, params: unknown, scope?: string) =>
      outcomeOf(resultOf(snap.submit(account, method, params as Json, scope))),
  };
}
