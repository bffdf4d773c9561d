import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SnapKeyring, type SnapKeyringMessenger } from '@metamask/eth-snap-keyring';
import { Messenger, MOCK_ANY_NAMESPACE } from '@metamask/messenger';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';

import { type Answer, installKeystead, type Screen, walletError } from './wallet/installed';

/** The id of the snap in MetaMask. */
export const SNAP_ID = 'npm:keystead';

const manifest = JSON.parse(readFileSync(join(__dirname, '../../dist/snap.manifest.json'), 'utf8')) as {
  platformVersion: string;
};

type HandleUserInput = (accepted: boolean) => Promise<void>;

/** What MetaMask's keyring requires from the wallet around it. */
export type KeyringCallbacks = {
  readonly addressExists: (address: string) => Promise<boolean>;
  readonly addAccount: (
    address: string,
    snapId: string,
    handleUserInput: HandleUserInput,
    onceSaved: Promise<string>,
    name?: string,
  ) => Promise<void>;
  readonly removeAccount: (address: string, snapId: string, handleUserInput: HandleUserInput) => Promise<void>;
  readonly saveState: () => Promise<void>;
};

/** A wallet that accepts every new account and does nothing else. */
export const WELCOMING: KeyringCallbacks = {
  addressExists: () => Promise.resolve(false),
  addAccount: (_address, _snapId, handleUserInput) => handleUserInput(true),
  removeAccount: () => Promise.resolve(),
  saveState: () => Promise.resolve(),
};

export type InMetaMask = {
  readonly keystead: Awaited<ReturnType<typeof installKeystead>>;
  readonly keyring: SnapKeyring;
};

/**
 * Connects MetaMask's own keyring to the built snap. Requests go to the snap in the runtime, and its events come back.
 *
 * @param isAsked - Whether the snap shows a screen before it answers a request.
 * @param answer - The user's action on that screen.
 * @param callbacks - The wallet around the keyring.
 * @param secretRecoveryPhrase - Default: that of the runtime.
 */
export async function installInMetaMask(
  isAsked: (request: JsonRpcRequest) => boolean,
  answer: (screen: Screen) => Promise<void>,
  callbacks: KeyringCallbacks,
  secretRecoveryPhrase?: string,
): Promise<InMetaMask> {
  const messenger = new Messenger({ namespace: MOCK_ANY_NAMESPACE }) as unknown as SnapKeyringMessenger;
  let keyring: SnapKeyring | undefined = undefined;
  const keystead = await installKeystead({
    manageAccounts: async (message) => {
      try {
        return (await keyring?.handleKeyringSnapMessage(SNAP_ID as never, message as never)) ?? null;
      } catch (error) {
        throw walletError((error as Error).message);
      }
    },
    ...(secretRecoveryPhrase !== undefined && { secretRecoveryPhrase }),
  });
  const answers: Record<string, (...parameters: never[]) => unknown> = {
    'SnapController:handleRequest': async ({ origin, request }: { origin: string; request: JsonRpcRequest }) => {
      const sent = keystead.send(request.method, request.params as Json, origin);
      if (isAsked(request)) await answer(await sent.getInterface());
      const { result, error } = (await sent).response as Answer;
      if (error !== undefined) throw Object.assign(new Error(error.message), error);
      return result;
    },
    'SnapController:get': () => ({ id: SNAP_ID, enabled: true, manifest }),
    'SnapController:isMinimumPlatformVersion': (_id: string, version: string) =>
      manifest.platformVersion.localeCompare(version, undefined, { numeric: true }) >= 0,
  };
  for (const [action, handler] of Object.entries(answers))
    messenger.registerActionHandler(action as never, handler as never);
  keyring = new SnapKeyring({
    messenger,
    callbacks: { ...callbacks, redirectUser: () => Promise.resolve() } as never,
  });
  return { keystead, keyring };
}
