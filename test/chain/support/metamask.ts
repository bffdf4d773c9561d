import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SnapKeyring, type SnapKeyringMessenger } from '@metamask/eth-snap-keyring';
import { Messenger, MOCK_ANY_NAMESPACE } from '@metamask/messenger';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';
import { type Hex, numberToHex } from 'viem';
import { foundry } from 'viem/chains';

import { type Answer, installKeystead, walletError } from '../../helpers/installed-snap';
import { peer } from './peers';

const SNAP_ID = 'npm:keystead';
const manifest = JSON.parse(readFileSync(join(__dirname, '../../../dist/snap.manifest.json'), 'utf8')) as {
  platformVersion: string;
};

/** MetaMask's own keyring on the built snap. The person at the wallet agrees to everything. */
export async function connectSnapKeyring() {
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
  });
  /** Every screen that the snap showed before a user operation was signed. */
  const shown: string[] = [];
  const answers: Record<string, (...parameters: never[]) => unknown> = {
    'SnapController:handleRequest': async ({ origin, request }: { origin: string; request: JsonRpcRequest }) => {
      const sent = keystead.send(request.method, request.params as Json, origin);
      if (JSON.stringify(request.params).includes('eth_signUserOperation')) {
        const screen = await sent.getInterface();
        shown.push(JSON.stringify(screen.content));
        await screen.ok();
      }
      const { result, error } = (await sent).response as Answer;
      if (error !== undefined) throw Object.assign(new Error(error.message), error);
      return result;
    },
    'SnapController:get': () => ({ id: SNAP_ID, enabled: true, manifest }),
    'SnapController:isMinimumPlatformVersion': (_id: string, version: string) =>
      manifest.platformVersion.localeCompare(version, undefined, { numeric: true }) >= 0,
  };
  for (const [action, answer] of Object.entries(answers))
    messenger.registerActionHandler(action as never, answer as never);
  keyring = new SnapKeyring({
    messenger,
    callbacks: {
      addressExists: () => Promise.resolve(false),
      addAccount: async (_address: string, _snapId: string, handleUserInput: (accepted: boolean) => Promise<void>) =>
        handleUserInput(true),
      removeAccount: () => Promise.resolve(),
      saveState: () => Promise.resolve(),
      redirectUser: () => Promise.resolve(),
    } as never,
  });
  return { keystead, keyring, shown };
}

type Provider = { readonly request: (request: { method: string; params?: unknown[] }) => Promise<unknown> };
type Tracker = { readonly destroy: () => Promise<void> };
type Controller = {
  readonly addUserOperation: (
    request: Record<string, unknown>,
    options: Record<string, unknown>,
  ) => Promise<{ id: string; hash: () => Promise<Hex>; transactionHash: () => Promise<Hex> }>;
  readonly startPollingByNetworkClientId: (id: string) => string;
  readonly state: { userOperations: Record<string, { status: string; userOperation: Record<string, Hex> }> };
};
type Middleware = (
  request: { id: number; method: string; params?: unknown[] },
  response: { result?: unknown },
  next: unknown,
  end: (error?: Error) => void,
) => void;

/** A provider of MetaMask's make over HTTP. */
function httpProvider(rpcUrl: string): Provider {
  const { providerFromMiddleware } = peer<{ providerFromMiddleware: (middleware: Middleware) => Provider }>(
    '@metamask/eth-json-rpc-provider',
  );
  return providerFromMiddleware(({ id, method, params = [] }, response, _next, end) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    void fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      .then((answer) => answer.json() as Promise<{ result?: unknown; error?: { message: string } }>)
      .then(({ result, error }) => {
        response.result = result;
        end(error === undefined ? undefined : new Error(error.message));
      }, end);
  });
}

/** How often the block tracker looks for a new block; milliseconds. */
const POLLING_INTERVAL = 50;

/**
 * MetaMask's UserOperationController as the wallet wires it: the keyring signs, the person approves, the
 * network client is real.
 */
export function startController(keyring: SnapKeyring, entrypoint: Hex, rpcUrl: string) {
  const { UserOperationController } = peer<{
    UserOperationController: new (options: Record<string, unknown>) => Controller;
  }>('@metamask/user-operation-controller');
  const { PollingBlockTracker } = peer<{ PollingBlockTracker: new (options: Record<string, unknown>) => Tracker }>(
    '@metamask/eth-block-tracker',
  );
  const provider = httpProvider(rpcUrl);
  const blockTracker = new PollingBlockTracker({ provider, pollingInterval: POLLING_INTERVAL });
  const messenger = new Messenger({ namespace: MOCK_ANY_NAMESPACE });
  const actions: Record<string, (...parameters: never[]) => unknown> = {
    'KeyringController:prepareUserOperation': keyring.prepareUserOperation.bind(keyring),
    'KeyringController:patchUserOperation': keyring.patchUserOperation.bind(keyring),
    'KeyringController:signUserOperation': keyring.signUserOperation.bind(keyring),
    'NetworkController:getNetworkClientById': () => ({
      provider,
      blockTracker,
      configuration: { chainId: numberToHex(foundry.id) },
    }),
    'ApprovalController:addRequest': () =>
      Promise.resolve({ resultCallbacks: { success: () => undefined, error: () => undefined } }),
  };
  for (const [action, answer] of Object.entries(actions))
    messenger.registerActionHandler(action as never, answer as never);
  const controller = new UserOperationController({
    entrypoint,
    messenger,
    // What MetaMask's fee service answers; in gwei.
    getGasFeeEstimates: () =>
      Promise.resolve({
        gasEstimateType: 'fee-market',
        gasFeeEstimates: { medium: { suggestedMaxFeePerGas: '5', suggestedMaxPriorityFeePerGas: '1' } },
      }),
  });
  controller.startPollingByNetworkClientId('anvil');
  return { controller, stop: () => blockTracker.destroy() };
}
