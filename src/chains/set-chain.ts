import { addressByFactory } from '../clients/entry-point';
import { type NodeClient } from '../clients/node';
import { consentedChange } from '../consented-change';
import { KIND_OF_VERSION, KINDS } from '../erc4337/kinds';
import { InvalidParamsError } from '../errors';
import { isSameAddress } from '../eth/address';
import { SetChainScreen } from '../ui/set-chain';
import { chainIdOf } from '../wire/chain';
import { type ChainConfiguration, SetChainStruct, toChainConfiguration } from '../wire/chain-configuration';
import { parse } from '../wire/struct';
import { type ChainDeps } from './deps';
import { type ChainEntry } from './repository';
import { servicesOf } from './services';

/** Any owner: whether a factory computes addresses as we do does not depend on who asks. */
const SOME_OWNER = '0x00000000000000000000000000000000000000a1';

/** A factory of another make would deploy to addresses that we compute wrongly, and money sent there would be lost. */
async function assertKnownFactory({ factory, entryPointVersion }: ChainConfiguration, node: NodeClient): Promise<void> {
  const kind = KINDS[KIND_OF_VERSION[entryPointVersion]];
  if (factory === undefined || isSameAddress(factory, kind.factory)) return;
  const deployment = { factory, owner: SOME_OWNER, salt: 0n } as const;
  if (!isSameAddress(await addressByFactory(node, deployment), kind.address(deployment)))
    throw new InvalidParamsError('params.factory', `must be a factory of ${kind.title}: it computes other addresses`);
}

/**
 * `keystead_setChain`: sets a chain up, or changes how it is. The node and the bundler are asked first
 * whether they serve this chain and entry point; then the person is shown old and new.
 *
 * @returns What is stored: the parameters, with the entry point and its version filled in.
 * @throws {InvalidParamsError} Naming the parameter.
 * @throws {ServiceFailedError} If the node or the bundler does not answer, or is one of another chain or entry point.
 * @throws {UserRejectedError} If the change is refused.
 */
export async function setChain(params: unknown, deps: ChainDeps): Promise<ChainConfiguration> {
  const configuration = toChainConfiguration(parse(SetChainStruct, params, 'params'));
  const { node, bundler } = servicesOf(configuration);
  const chainId = chainIdOf(configuration.chainId);
  await Promise.all([node.assertChain(chainId), bundler.assertServes(chainId, configuration.entryPoint)]);
  await assertKnownFactory(configuration, node);
  const change = {
    read: () => deps.chains.look(chainId),
    screen: (before: ChainEntry) => SetChainScreen({ before, after: configuration, origin: deps.origin }),
    store: () => deps.chains.put(configuration),
  };
  await consentedChange(change, deps);
  return configuration;
}
