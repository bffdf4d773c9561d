import { BundlerClient } from '../../clients/bundler';
import { NodeClient } from '../../clients/node';
import { PaymasterClient } from '../../clients/paymaster';
import { ProviderError } from '../../core/errors';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';

/** The time limit of optional requests, in milliseconds. */
const HINT_TIMEOUT = 3000;

/** Clients of a network's services. */
export type ChainServices = {
  readonly node: NodeClient;
  /** The same node with a short time limit, for optional data on a screen that the user waits for. */
  readonly hints: NodeClient;
  /** @throws {ProviderError} 4901 if the network has no bundler. */
  readonly bundler: () => BundlerClient;
  readonly paymaster?: PaymasterClient;
};

/** @throws {ProviderError} 4901 if the network has no bundler. */
export function bundlerUrlOf({ chainId, bundlerUrl }: ChainConfiguration): string {
  if (bundlerUrl !== undefined) return bundlerUrl;
  throw new ProviderError(
    'chain-disconnected',
    `${chainId} has no bundler in Keystead, so smart accounts cannot send on it. Add one to the network.`,
  );
}

/** @returns Clients of the services. Nothing is sent yet. */
export function servicesOf(configuration: ChainConfiguration): ChainServices {
  const { rpcUrl, paymasterUrl, paymasterContext } = configuration;
  return {
    node: new NodeClient({ url: rpcUrl }),
    hints: new NodeClient({ url: rpcUrl, timeout: HINT_TIMEOUT }),
    bundler: () => new BundlerClient({ url: bundlerUrlOf(configuration) }),
    ...(paymasterUrl !== undefined && { paymaster: new PaymasterClient({ url: paymasterUrl }, paymasterContext) }),
  };
}
