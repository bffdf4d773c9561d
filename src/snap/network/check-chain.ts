import { addressByFactory } from '../../clients/entry-point';
import { inOrder } from '../../clients/in-order';
import { NodeClient } from '../../clients/node';
import { KIND_OF_VERSION, KINDS } from '../../core/kinds';
import { InvalidParamsError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { servicesOf } from './services';

/** Any owner works: whether a factory computes the same addresses as we do does not depend on it. */
const SOME_OWNER = '0x00000000000000000000000000000000000000a1';

/** A different factory would deploy to other addresses than we compute, and funds sent to ours would be lost. */
async function assertKnownFactory(
  { factory, entryPointVersion }: ChainConfiguration,
  node: NodeClient,
  root: string,
): Promise<void> {
  const kind = KINDS[KIND_OF_VERSION[entryPointVersion]];
  if (factory === undefined || isSameAddress(factory, kind.factory)) return;
  const deployment = { factory, owner: SOME_OWNER, salt: 0n } as const;
  if (!isSameAddress(await addressByFactory(node, deployment), kind.address(deployment)))
    throw new InvalidParamsError(
      `${root}.factory`,
      `must be a ${kind.title} factory; this one computes different addresses`,
    );
}

async function assertSecondNode({ secondRpcUrl }: ChainConfiguration, chainId: bigint, root: string): Promise<void> {
  if (secondRpcUrl === undefined || (await new NodeClient({ url: secondRpcUrl }).chainId()) === chainId) return;
  throw new InvalidParamsError(`${root}.secondRpcUrl`, `must be a node for chain ${chainId}`);
}

/**
 * Checks that the nodes, and the bundler if there is one, serve the chain and its entry point, before the chain is set
 * up.
 *
 * @param root - The name of the configuration in error messages.
 * @throws {InvalidParamsError} If the factory does not deploy this kind of account, or the second node serves another
 * chain.
 * @throws {ServiceFailedError} If the node or the bundler does not respond, or serves another chain or entry point.
 */
export async function checkChain(configuration: ChainConfiguration, root: string): Promise<void> {
  const { node, bundler } = servicesOf(configuration);
  const chainId = chainIdOf(configuration.chainId);
  await inOrder([
    node.assertChain(chainId),
    assertSecondNode(configuration, chainId, root),
    ...(configuration.bundlerUrl === undefined ? [] : [bundler().assertServes(chainId, configuration.entryPoint)]),
  ]);
  await assertKnownFactory(configuration, node, root);
}
