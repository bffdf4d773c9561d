import { BundlerClient } from '../../clients/bundler';
import { NodeClient } from '../../clients/node';
import { PaymasterClient } from '../../clients/paymaster';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';

/** Milliseconds. */
const HINT_TIMEOUT = 3000;

/** The services that a chain's configuration names. */
export type ChainServices = {
  readonly node: NodeClient;
  /** The same node, for what a screen is better with and can do without: a dialog waits for it. */
  readonly hints: NodeClient;
  readonly bundler: BundlerClient;
  readonly paymaster?: PaymasterClient;
};

/** @returns Clients of the services; nothing is sent yet. */
export const servicesOf = ({
  rpcUrl,
  bundlerUrl,
  paymasterUrl,
  paymasterContext,
}: ChainConfiguration): ChainServices => ({
  node: new NodeClient({ url: rpcUrl }),
  hints: new NodeClient({ url: rpcUrl, timeout: HINT_TIMEOUT }),
  bundler: new BundlerClient({ url: bundlerUrl }),
  ...(paymasterUrl !== undefined && { paymaster: new PaymasterClient({ url: paymasterUrl }, paymasterContext) }),
});
