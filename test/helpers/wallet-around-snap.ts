import { randomUUID } from 'node:crypto';

import { version } from '../../package.json';
import { type AnnouncedProvider, type RequestArguments } from '../../src/dapp/provider';
import { type DappScreen, type ForDapps } from './dapp';

/** Answers a dialog of the snap, as the person at the wallet. */
export type Person = (screen: DappScreen) => Promise<void>;

/** What may open dialogs. */
const ASKS = /^(?:personal_sign|keystead_setChain|wallet_(?:requestPermissions|s)\w*|eth_(?:requestAccounts|s)\w*)$/u;

const unauthorized = (): Error => Object.assign(new Error('The page may not use this snap.'), { code: 4100 });

/**
 * A simulator of a wallet that hosts one snap, as a page sees it (EIP-1193 with `wallet_getSnaps`, `wallet_requestSnaps`
 * and `wallet_invokeSnap`). The snap in it is the built one, in the Snaps runtime.
 */
export function walletAround(
  { dapp }: Pick<ForDapps, 'dapp'>,
  { snapId, origin, person }: { readonly snapId: string; readonly origin: string; readonly person: Person },
) {
  const permitted: Record<string, { id: string; version: string; enabled: boolean; blocked: boolean }> = {};

  const invoke = async ({ method, params }: RequestArguments): Promise<unknown> => {
    const request = dapp(method, params as never, origin);
    const answered = request.then(() => undefined);
    while (ASKS.test(method)) {
      const screen = await Promise.race([answered, request.getInterface().catch(() => undefined)]);
      if (screen === undefined) break;
      await person(screen);
    }
    const { result, error } = (await request).response;
    // A wallet rejects with a plain object.
    if (error !== undefined) throw error;
    return result;
  };

  const request = async ({ method, params }: RequestArguments): Promise<unknown> => {
    if (method === 'wallet_getSnaps') return { ...permitted };
    if (method === 'wallet_requestSnaps') {
      for (const id of Object.keys(params as object)) {
        if (id !== snapId) throw Object.assign(new Error(`${id} is not to be had.`), { code: -32603 });
        permitted[id] = { id, version, enabled: true, blocked: false };
      }
      return { ...permitted };
    }
    if (method !== 'wallet_invokeSnap') throw Object.assign(new Error('not supported'), { code: 4200 });
    const { snapId: invoked, request: inner } = params as { snapId: string; request: RequestArguments };
    if (permitted[invoked] === undefined) throw unauthorized();
    return invoke(inner);
  };

  const announced: AnnouncedProvider = {
    info: { uuid: randomUUID(), name: 'Simulated wallet', icon: 'data:,', rdns: 'test.wallet' },
    provider: { request },
  };
  return {
    ...announced,
    /** Takes the snap away from the page, as the person does in the wallet's settings. */
    remove: () => {
      Reflect.deleteProperty(permitted, snapId);
    },
  };
}
