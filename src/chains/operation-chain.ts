import { fundsFor, nextNonce } from '../clients/entry-point';
import { ServiceFailedError, ServiceRefusedError } from '../errors';
import { type OperationChain, type SmartAccount } from '../methods/user-operation-context';
import { chainIdOf } from '../wire/chain';
import { type ChainConfiguration, entryPointFor } from '../wire/chain-configuration';
import { type PreparedLedger } from './ledger';
import { servicesOf } from './services';

/** A service that does not answer is no answer; one that refuses is one. */
function unlessAnswered(error: unknown): undefined {
  if (!(error instanceof ServiceFailedError)) throw error;
}

/** What is only told along, such as a balance, is left out if the service fails or refuses. */
function unlessTold(error: unknown): undefined {
  if (!(error instanceof ServiceRefusedError)) unlessAnswered(error);
}

/**
 * A chain for one account: the services that are set up, at the entry point that the account answers to.
 *
 * @param prepared - Where operations are remembered, and for whom: `metamask`, or the origin of a site.
 */
export function operationChain(
  configuration: ChainConfiguration,
  { address, kind }: SmartAccount,
  { ledger, caller }: { readonly ledger: PreparedLedger; readonly caller: string },
): OperationChain {
  const { node, bundler, paymaster } = servicesOf(configuration);
  const chainId = chainIdOf(configuration.chainId);
  const version = kind.entryPointVersion;
  const place = { version, entryPoint: kind.entryPoint ?? entryPointFor(configuration, version), chainId };
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
    estimateGas: (operation) => bundler.estimateGas(operation, place).catch(unlessAnswered),
    fundsFor: (operation) => fundsFor(node, operation, place).catch(unlessTold),
    ...(paymaster !== undefined && {
      sponsor: {
        stubData: (operation) => paymaster.stubData(operation, place),
        data: (operation) => paymaster.data(operation, place),
      },
    }),
    prepared: {
      list: () => ledger.of(caller, address, chainId),
      remember: (operation) => ledger.remember(caller, operation),
      rememberPatch: (operation, patch) => ledger.rememberPatch(caller, operation, chainId, patch),
    },
  };
}
