import { type SnapKeyring } from '@metamask/eth-snap-keyring';
import { Messenger, MOCK_ANY_NAMESPACE } from '@metamask/messenger';
import { type Hex, numberToHex } from 'viem';
import { foundry } from 'viem/chains';

import { installInMetaMask, WELCOMING } from '../metamask-keyring';
import { peer } from './peers';

/** MetaMask's own keyring on the built snap. The person at the wallet agrees to everything. */
export async function connectSnapKeyring(secretRecoveryPhrase: string) {
  /** Every screen that the snap showed before a user operation was signed. */
  const shown: string[] = [];
  const connected = await installInMetaMask(
    ({ params }) => JSON.stringify(params).includes('eth_signUserOperation'),
    async ({ content, ok }) => {
      shown.push(JSON.stringify(content));
      await ok();
    },
    WELCOMING,
    secretRecoveryPhrase,
  );
  return { ...connected, shown };
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
