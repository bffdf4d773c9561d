import { addressByFactory } from '../../clients/entry-point';
import { inOrder } from '../../clients/in-order';
import { type NodeClient } from '../../clients/node';
import { KIND_OF_VERSION, KINDS } from '../../core/erc4337/kinds';
import { InvalidParamsError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { servicesOf } from './services';

/** Any owner: whether a factory computes addresses as we do does not depend on who asks. */
const SOME_OWNER = '0x00000000000000000000000000000000000000a1';

/** A factory of another make would deploy to addresses that we compute wrongly, and money sent there would be lost. */
async function assertKnownFactory(
  { factory, entryPointVersion }: ChainConfiguration,
  node: NodeClient,
  root: string,
): Promise<void> {
  const kind = KINDS[KIND_OF_VERSION[entryPointVersion]];
  if (factory === undefined || isSameAddress(factory, kind.factory)) return;
  const deployment = { factory, owner: SOME_OWNER, salt: 0n } as const;
  if (!isSameAddress(await addressByFactory(node, deployment), kind.address(deployment)))
    throw new InvalidParamsError(`${root}.factory`, `must be a factory of ${kind.title}: it computes other addresses`);
}

/**
 * Asks the node and the bundler whether they serve the chain and its entry point, before it is set up.
 *
 * @param root - What to call the configuration in a refusal.
 * @throws {InvalidParamsError} If the factory is none of the accounts' kind.
 * @throws {ServiceFailedError} If the node or the bundler does not answer, or is one of another chain or entry point.
 */
export async function checkChain(configuration: ChainConfiguration, root: string): Promise<void> {
  const { node, bundler } = servicesOf(configuration);
  const chainId = chainIdOf(configuration.chainId);
  await inOrder([node.assertChain(chainId), bundler.assertServes(chainId, configuration.entryPoint)]);
  await assertKnownFactory(configuration, node, root);
}
