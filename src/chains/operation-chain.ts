import { nextNonce } from '../clients/entry-point';
import { ServiceFailedError } from '../errors';
import { type OperationChain, type SmartAccount } from '../methods/user-operation-context';
import { chainIdOf } from '../wire/chain';
import { type ChainConfiguration, entryPointFor } from '../wire/chain-configuration';
import { type PreparedLedger } from './ledger';
import { servicesOf } from './services';

/** A chain for one account: the services that are set up, at the entry point that the account answers to. */
export function operationChain(
  configuration: ChainConfiguration,
  { address, kind }: SmartAccount,
  ledger: PreparedLedger,
): OperationChain {
  const { node, bundler, paymaster } = servicesOf(configuration);
  const chainId = chainIdOf(configuration.chainId);
  const version = kind.entryPointVersion;
  const place = { version, entryPoint: entryPointFor(configuration, version), chainId };
  return {
    place,
    bundlerUrl: configuration.bundlerUrl,
    senderState: async () => {
      const [code, nonce] = await Promise.all([
        node.code(address),
        nextNonce(node, place.entryPoint, address),
        node.assertChain(chainId),
      ]);
      return { nonce, isDeployed: code !== '0x' };
    },
    estimateGas: async (operation) => {
      try {
        return await bundler.estimateGas(operation, place);
      } catch (error) {
        if (error instanceof ServiceFailedError) return undefined;
        throw error;
      }
    },
    ...(paymaster !== undefined && {
      sponsor: {
        stubData: (operation) => paymaster.stubData(operation, place),
        data: (operation) => paymaster.data(operation, place),
      },
    }),
    prepared: {
      list: () => ledger.of(address, chainId),
      remember: (operation) => ledger.remember(operation),
      rememberPatch: (operation, paymasterAndData) => ledger.rememberPatch(operation, chainId, paymasterAndData),
    },
  };
}
