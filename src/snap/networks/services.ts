import { BundlerClient } from '../../clients/bundler';
import { NodeClient } from '../../clients/node';
import { PaymasterClient } from '../../clients/paymaster';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';

/** The time limit of optional requests, in milliseconds. */
const HINT_TIMEOUT = 3000;

/** Clients of a network's services. */
export type ChainServices = {
  readonly node: NodeClient;
  /** The same node with a short time limit, for optional data on a screen that the user waits for. */
  readonly hints: NodeClient;
  readonly bundler: BundlerClient;
  readonly paymaster?: PaymasterClient;
};

/** @returns Clients of the services. Nothing is sent yet. */
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
