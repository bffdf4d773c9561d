import { type Json } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Answer, installKeystead } from './wallet/installed';

export const DAPP = 'https://dapp.example';
/** A page of this machine. Only such a page may name services of this machine, as those of the tests are. */
export const LOCAL_PAGE = 'http://localhost:5173';

/** A screen of the snap, with the actions a user can take on it. */
export type DappScreen = {
  readonly type?: string;
  readonly content: JSXElement;
  readonly ok: () => Promise<void>;
  readonly cancel: () => Promise<void>;
  readonly clickElement: (name: string) => Promise<void>;
  readonly typeInField: (name: string, value: string) => Promise<void>;
  readonly selectInDropdown: (name: string, value: string) => Promise<void>;
  readonly selectFromRadioGroup: (name: string, value: string) => Promise<void>;
};
export type Sent = Promise<{ readonly response: Answer }> & { readonly getInterface: () => Promise<DappScreen> };

/** The part of a response that a page sees. The test runtime adds the stack. */
export const seenByPage = (answer: object): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value: unknown) => (name === 'stack' ? undefined : value)));

/** The built snap, and web pages that call its RPC handler. */
export async function installForDapps(...options: Parameters<typeof installKeystead>) {
  const keystead = await installKeystead(...options);

  /** Sends a request of a page. */
  const dapp = (method: string, params?: Json, origin = DAPP): Sent =>
    keystead.snap.request({
      origin,
      method,
      // The request is serialized to JSON, which drops undefined members.
      ...(params !== undefined && { params: JSON.parse(JSON.stringify(params)) as Json[] }),
    }) as unknown as Sent;

  /** The response to a request without a dialog. */
  const ask = async <T = Json>(method: string, params?: Json, origin?: string): Promise<Answer<T>> =>
    (await dapp(method, params, origin)).response as Answer<T>;

  /** The response to a request with one or more dialogs, all of which are approved. */
  const approve = async <T = Json>(method: string, params?: Json, origin?: string, dialogs = 1): Promise<Answer<T>> => {
    const request = dapp(method, params, origin);
    for (let dialog = 0; dialog < dialogs; dialog++) await (await request.getInterface()).ok();
    return (await request).response as Answer<T>;
  };

  /** Connects a page. Default: to the accounts that are preselected in the dialog. */
  const connect = async (origin = DAPP, choose: readonly string[] = []): Promise<string[]> => {
    const request = dapp('wallet_requestPermissions', [{ eth_accounts: {} }], origin);
    const screen = await request.getInterface();
    for (const id of choose) await screen.clickElement(id);
    await screen.ok();
    await request;
    return (await ask<string[]>('eth_accounts', [], origin)).result ?? [];
  };

  return { ...keystead, dapp, ask, approve, connect };
}

/** The same, asked by a page of this machine. */
export const fromLocalPage = (keystead: ForDapps): ForDapps => ({
  ...keystead,
  dapp: (method, params, origin = LOCAL_PAGE) => keystead.dapp(method, params, origin),
  ask: (method, params, origin = LOCAL_PAGE) => keystead.ask(method, params, origin),
  approve: (method, params, origin = LOCAL_PAGE, dialogs = 1) => keystead.approve(method, params, origin, dialogs),
  connect: (origin = LOCAL_PAGE, choose = []) => keystead.connect(origin, choose),
});
export type ForDapps = Awaited<ReturnType<typeof installForDapps>>;
