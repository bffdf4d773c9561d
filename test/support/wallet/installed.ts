import { randomUUID } from 'node:crypto';

import { type KeyringAccount } from '@metamask/keyring-api';
import { installSnap } from '@metamask/snaps-jest';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { OpenDialogs } from './open-dialogs';
import { callName, keptBy, type WalletDouble } from './wallet-double';

/** The snap's events through `snap_manageAccounts`. */
export type WalletMessage = { readonly method: string; readonly params: Record<string, Json> };

/** The wallet around the snap. Each part replaces the runtime's response, or leaves it to the runtime. */
export type Around = {
  /** Keeps the state and the accounts, counts calls and injects faults. Without it, the runtime keeps the state. */
  readonly wallet?: WalletDouble;
  /** `snap_manageAccounts`, which the runtime does not simulate. */
  readonly manageAccounts?: (message: WalletMessage) => Promise<Json> | Json;
  /** Any other request; undefined leaves it to the runtime. */
  readonly answer?: (request: JsonRpcRequest) => Promise<Json | undefined> | Json | undefined;
  /** The stored state, if the runtime keeps it. */
  readonly state?: Record<string, Json>;
  /** A snap other than the one in `dist/`. */
  readonly snapId?: `local:${string}`;
  readonly secretRecoveryPhrase?: string;
};

type RpcError = { readonly code: number; readonly message: string; readonly data?: Record<string, Json> };
export type Answer<T = Json> = { readonly result?: T; readonly error?: RpcError };

/** A screen of the snap. A confirmation can be approved or rejected; `cancel` closes it. */
export type Screen = {
  readonly type?: string;
  readonly content: JSXElement;
  readonly ok: () => Promise<void>;
  readonly cancel: () => Promise<void>;
};

type Sent = Promise<{ readonly response: Answer }> & { readonly getInterface: () => Promise<Screen> };

type Closing = 'ok' | 'cancel';

/** What is asked of the runtime: a promise of the response that also gives the screens shown meanwhile. */
type Asked = Promise<unknown> & {
  getInterface?: () => Promise<Partial<Record<Closing, (...input: unknown[]) => Promise<unknown>>> & { type?: string }>;
};

/** Closes the dialogs that the test of each installed snap has left open. */
const closers: (() => Promise<void>)[] = [];

// A dialog that a failed test leaves open keeps the requests of all later tests waiting.
afterEach(async () => {
  for (const close of closers) await close();
});

/**
 * The runtime shows a second dialog of a type over the first, which is then never answered. This notes when the test
 * closes one, so that a second one can be refused while it is open, and rejects what the test has left open at its end.
 */
function noteClosing<Snap extends object>(snap: Snap, dialogs: OpenDialogs): Snap {
  const pending = new Set<Asked>();
  closers.push(async () => {
    // Those that waited for the dialog show theirs next.
    while (dialogs.isOneOpen) {
      const [asked] = pending;
      if (asked?.getInterface === undefined) return;
      const screen = await asked.getInterface();
      // The runtime gives one answer to all dialogs that are open.
      dialogs.closeAll();
      await (screen.cancel ?? screen.ok)?.();
      await Promise.race([Promise.allSettled(pending), dialogs.untilOpen()]);
    }
  });
  const noted = (made: unknown): unknown => {
    const asked = (made ?? {}) as Asked;
    const { getInterface } = asked;
    if (getInterface === undefined) return made;
    pending.add(asked);
    const forget = (): boolean => pending.delete(asked);
    asked.then(forget, forget);
    return Object.assign(asked, {
      getInterface: async () => {
        const screen = await getInterface();
        const closing = (name: Closing) => {
          const close = screen[name];
          return (
            close && {
              [name]: async (...input: unknown[]) => {
                dialogs.close(screen.type);
                return close(...input);
              },
            }
          );
        };
        return { ...screen, ...closing('ok'), ...closing('cancel') };
      },
    });
  };
  const methods = Object.entries(snap).map(([name, method]: [string, unknown]) => [
    name,
    typeof method === 'function'
      ? (...input: unknown[]) => noted((method as (...all: unknown[]) => unknown)(...input))
      : method,
  ]);
  return Object.fromEntries(methods) as Snap;
}

/** An error as a snap receives it from the wallet, with its code and message. */
export const walletError = (message: string): RpcError => ({ code: -32603, message });

/** The time limit for starting the runtime in milliseconds. Its thread may be slow on a busy machine. */
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
  const dialogs = new OpenDialogs();
  const installed = snapId === undefined ? await installSnap(options) : await installSnap(snapId as never, options);
  const snap = noteClosing(installed, dialogs);
  const told: WalletMessage[] = [];
  const kept = wallet === undefined ? {} : keptBy(wallet);
  const respond = async (request: JsonRpcRequest): Promise<Json | undefined> => {
    const params = (request.params ?? {}) as Record<string, Json>;
    if (request.method === 'snap_resolveInterface') dialogs.close(undefined);
    if (request.method === 'snap_dialog') {
      dialogs.open(params.type);
      const answered = await answer?.(request);
      if (answered !== undefined) dialogs.close(params.type);
      return answered;
    }
    if (request.method !== 'snap_manageAccounts') return (await answer?.(request)) ?? kept[request.method]?.(params);
    const message = params as unknown as WalletMessage;
    told.push(message);
    return manageAccounts(message);
  };
  /** Responds as a wallet with injected faults. */
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

  /** Sends a keyring request without a dialog. */
  const call = async <T = Json>(method: string, params?: Json, origin?: string): Promise<Answer<T>> =>
    (await send(method, params, origin)).response as Answer<T>;

  /** Creates an account; an import is approved in its dialog. */
  const create = async (options: Record<string, Json> = {}): Promise<KeyringAccount> => {
    const request = send('keyring_createAccount', { options });
    // A key that was imported before shows no dialog.
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

  /** Signs with an account, without a dialog. */
  const sign = async (account: string, method: string, params: Json, scope?: string) =>
    (await submit(account, method, params, scope)).response as Answer<{ pending: false; result: Json }>;

  return { snap, told, send, call, create, submit, sign };
}
export type Keystead = Awaited<ReturnType<typeof installKeystead>>;
