import { fundsFor, nextNonce } from '../../clients/entry-point';
import { inOrder } from '../../clients/in-order';
import { transactionCount } from '../../clients/transactions';
import { THRESHOLD_SLOT } from '../../core/erc4337/safe/owners/owners';
import { isSameAddress } from '../../core/eth/address';
import { delegateIn } from '../../core/eth/authorization';
import { ServiceFailedError, ServiceRefusedError, ServiceSilentError } from '../../core/errors';
import { type OperationChain, type SmartAccount } from '../account/methods/user-operation-context';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration, entryPointFor } from '../../core/schemas/chain-configuration';
import { type PreparedLedger } from './prepared-operations';
import { readCoOwners } from './co-owners';
import { bundlerUrlOf, servicesOf } from './services';

/** Returns undefined for the given kinds of error, and rethrows any other. */
const unless =
  (...kinds: readonly (new (...parameters: never) => Error)[]) =>
  (error: unknown): undefined => {
    if (!kinds.some((kind) => error instanceof kind)) throw error;
  };

/** The error for an account that is no longer as it was when the user was asked. */
export const changedMeanwhile = (): ServiceFailedError =>
  new ServiceFailedError(
    'The account was used or changed on this network in the meantime (EIP-7702). Nothing was signed. Try again.',
  );

/**
 * The chain for one account: the configured services, and the entry point that the account accepts.
 *
 * @param prepared - The record of prepared operations and its caller: `metamask`, or the origin of a site.
 * @throws {ProviderError} 4901 if the network has no bundler.
 */
export function operationChain(
  configuration: ChainConfiguration,
  { address, kind, owner, delegate }: SmartAccount,
  { ledger, caller }: { readonly ledger: PreparedLedger; readonly caller: string },
): OperationChain {
  const { node, hints, paymaster, ...services } = servicesOf(configuration);
  const bundler = services.bundler();
  const chainId = chainIdOf(configuration.chainId);
  const version = kind.entryPointVersion;
  const entryPoint = kind.entryPoint ?? entryPointFor(configuration, version);
  const place = { version, entryPoint, chainId, ...(delegate && { delegate }) };
  return {
    place,
    bundlerUrl: bundlerUrlOf(configuration),
    senderState: async () => {
      const [, code, nonce, threshold] = await inOrder([
        node.assertChain(chainId),
        node.code(address),
        nextNonce(node, place.entryPoint, address),
        owner === undefined ? Promise.resolve(0n) : node.storageAt(address, THRESHOLD_SLOT),
      ]);
      const isDeployed = code !== '0x';
      if (isDeployed && owner !== undefined) {
        const coOwners = await readCoOwners({ address, owner }, threshold, node);
        return { nonce, isDeployed, ...(coOwners && { coOwners }) };
      }
      if (delegate === undefined) return { nonce, isDeployed };
      if (code === '0x')
        return { nonce, isDeployed: false, authorizationNonce: await transactionCount(node, address, 'pending') };
      if (!isSameAddress(delegateIn(code) ?? '', delegate)) throw changedMeanwhile();
      return { nonce, isDeployed: true };
    },
    estimateGas: (operation) => bundler.estimateGas(operation, place).catch(unless(ServiceSilentError)),
    fundsFor: (operation) => fundsFor(hints, operation, place).catch(unless(ServiceFailedError, ServiceRefusedError)),
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
