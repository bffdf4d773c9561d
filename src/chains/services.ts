import { BundlerClient } from '../clients/bundler';
import { NodeClient } from '../clients/node';
import { PaymasterClient } from '../clients/paymaster';
import { type ChainConfiguration } from '../wire/chain-configuration';

/** The services that a chain's configuration names. */
export type ChainServices = {
  readonly node: NodeClient;
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
  bundler: new BundlerClient({ url: bundlerUrl }),
  ...(paymasterUrl !== undefined && { paymaster: new PaymasterClient({ url: paymasterUrl }, paymasterContext) }),
});
