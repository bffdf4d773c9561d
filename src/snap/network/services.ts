import { BundlerClient } from '../../clients/bundler';
import { NodeClient } from '../../clients/node';
import { PaymasterClient } from '../../clients/paymaster';
import { ProviderError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';

/** The time limit of optional requests, in milliseconds. */
const HINT_TIMEOUT = 3000;

/** A node with its name on screens. */
export type NamedNode = { readonly name: string; readonly node: NodeClient };

/** Clients of a network's services. */
export type ChainServices = {
  readonly node: NodeClient;
  /** The same node with a short time limit, for optional data on a screen that the user waits for. */
  readonly hints: NodeClient;
  /** Likewise, with the second node, if there is one. */
  readonly witnesses: readonly NamedNode[];
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
  const { rpcUrl, secondRpcUrl, paymasterUrl, paymasterContext } = configuration;
  const hintsOf = (url: string): NodeClient => new NodeClient({ url, timeout: HINT_TIMEOUT });
  return {
    node: new NodeClient({ url: rpcUrl }),
    hints: hintsOf(rpcUrl),
    witnesses: [rpcUrl, secondRpcUrl].flatMap((url) =>
      url === undefined ? [] : [{ name: new URL(url).host, node: hintsOf(url) }],
    ),
    bundler: () => new BundlerClient({ url: bundlerUrlOf(configuration) }),
    ...(paymasterUrl !== undefined && { paymaster: new PaymasterClient({ url: paymasterUrl }, paymasterContext) }),
  };
}

/**
 * @returns Whether a network has a bundler that takes operations for this entry point. One that does not respond takes
 * none.
 */
export async function takesOperations(configuration: ChainConfiguration, entryPoint: Hex): Promise<boolean> {
  if (configuration.bundlerUrl === undefined) return false;
  const { bundler } = servicesOf(configuration);
  const supported = await bundler()
    .supportedEntryPoints()
    .catch(() => []);
  return supported.some((address) => isSameAddress(address, entryPoint));
}
