import { randomUUID } from 'node:crypto';

import { type KeyringAccount } from '@metamask/keyring-api';
import { installSnap } from '@metamask/snaps-jest';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { callName, keptBy, type WalletDouble } from './wallet-double';

/** What the snap tells the wallet through `snap_manageAccounts`. */
export type WalletMessage = { readonly method: string; readonly params: Record<string, Json> };

/** The wallet around the snap. Each part answers in place of the runtime, or leaves it to the runtime. */
export type Around = {
  /** Keeps the state and the accounts, counts calls and makes them go wrong. Without it the runtime keeps the state. */
  readonly wallet?: WalletDouble;
  /** `snap_manageAccounts`, which the runtime does not simulate. */
  readonly manageAccounts?: (message: WalletMessage) => Promise<Json> | Json;
  /** Any other request; undefined leaves it to the runtime. */
  readonly answer?: (request: JsonRpcRequest) => Promise<Json | undefined> | Json | undefined;
  /** What the snap has stored, where the runtime keeps it. */
  readonly state?: Record<string, Json>;
  /** Another snap than that of `dist/`. */
  readonly snapId?: `local:${string}`;
  readonly secretRecoveryPhrase?: string;
};

type RpcError = { readonly code: number; readonly message: string; readonly data?: Record<string, Json> };
export type Answer<T = Json> = { readonly result?: T; readonly error?: RpcError };

/** A screen that the snap shows. A confirmation can be answered; closing it without an answer is `cancel`. */
export type Screen = {
  readonly type?: string;
  readonly content: JSXElement;
  readonly ok: () => Promise<void>;
  readonly cancel: () => Promise<void>;
};

type Sent = Promise<{ readonly response: Answer }> & { readonly getInterface: () => Promise<Screen> };

/** An error as the wallet hands it to a snap: code and message survive the trip. */
export const walletError = (message: string): RpcError => ({ code: -32603, message });

/** Milliseconds that the runtime has to start: on a busy machine its thread may be late. */
const PATIENCE = 240_000;

/** Installs the built snap of `dist/`, or another, in the Snaps runtime. */
export async function installKeystead({
  wallet,
  manageAccounts = ({ method, params }) => wallet?.manage(method, params) ?? null,
  answer,
  state,
  snapId,
  secretRecoveryPhrase,
}: Around = {}) {
  const options = {
    executionServiceOptions: { initTimeout: PATIENCE, pingTimeout: PATIENCE },
    options: {
      ...(state !== undefined && { state }),
      ...(secretRecoveryPhrase !== undefined && { secretRecoveryPhrase }),
    },
  };
  const snap = snapId === undefined ? await installSnap(options) : await installSnap(snapId as never, options);
  const told: WalletMessage[] = [];
  const kept = wallet === undefined ? {} : keptBy(wallet);
  const respond = async (request: JsonRpcRequest): Promise<Json | undefined> => {
    const params = (request.params ?? {}) as Record<string, Json>;
    if (request.method !== 'snap_manageAccounts') return (await answer?.(request)) ?? kept[request.method]?.(params);
    const message = params as unknown as WalletMessage;
    told.push(message);
    return manageAccounts(message);
  };
  /** Answers as a wallet in which calls may go wrong. */
  const mock = async (request: JsonRpcRequest): Promise<Json | undefined> => {
    if (wallet === undefined || !Object.hasOwn(kept, request.method)) return respond(request);
    try {
      return await wallet.call(callName(request), () => respond(request));
    } catch (error) {
      throw walletError((error as Error).message);
    }
  };
  snap.mockJsonRpc(mock as (request: JsonRpcRequest) => Promise<Json>);

  const send = (method: string, params?: Json, origin = 'metamask'): Sent =>
    snap.onKeyringRequest({
      origin,
      method,
      ...(params !== undefined && { params: params as Record<string, Json> }),
    }) as unknown as Sent;

  /** Sends a keyring request that no dialog interrupts. */
  const call = async <T = Json>(method: string, params?: Json, origin?: string): Promise<Answer<T>> =>
    (await send(method, params, origin)).response as Answer<T>;

  /** Creates an account; an import is approved in its dialog. */
  const create = async (options: Record<string, Json> = {}): Promise<KeyringAccount> => {
    const request = send('keyring_createAccount', { options });
    // A key that was imported before asks for no dialog.
    if (options.privateKey !== undefined) {
      const answered = request.then(() => undefined);
      await (await Promise.race([answered, request.getInterface().catch(() => undefined)]))?.ok();
    }
    const { result, error } = (await request).response as Answer<KeyringAccount>;
    if (result === undefined) throw new Error(`not created: ${error?.message ?? ''}`);
    return result;
  };

  const submit = (account: string, method: string, params: Json, scope = ''): Sent =>
    send('keyring_submitRequest', {
      id: randomUUID(),
      scope,
      account,
      origin: 'metamask',
      request: { method, params },
    });

  /** Has an account sign, when no dialog is to be expected. */
  const sign = async (account: string, method: string, params: Json, scope?: string) =>
    (await submit(account, method, params, scope)).response as Answer<{ pending: false; result: Json }>;

  return { snap, told, send, call, create, submit, sign };
}
export type Keystead = Awaited<ReturnType<typeof installKeystead>>;

/**
 * One installed snap for all tests of a block, for those that leave nothing behind that another would notice. The
 * runtime runs one snap at a time, so no test of the block may install another.
 *
 * @returns What gives the snap; it is there while tests run.
 */
export function useKeystead(around?: Around): () => Keystead {
  let keystead: Keystead;
  beforeAll(async () => {
    keystead = await installKeystead(around);
  });
  return () => keystead;
}
