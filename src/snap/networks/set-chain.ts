import { consentedChange } from '../storage/consented-change';
import { SetChainScreen } from '../ui/set-chain';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration, SetChainStruct, toChainConfiguration } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/schemas/struct';
import { checkChain } from './check-chain';
import { type ChainDeps } from './deps';
import { type ChainEntry } from './repository';

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
  const configuration = toChainConfiguration(parse(SetChainStruct, params, 'params'), 'params');
  const chainId = chainIdOf(configuration.chainId);
  await checkChain(configuration, 'params');
  const change = {
    read: () => deps.chains.look(chainId),
    screen: (before: ChainEntry) => SetChainScreen({ before, after: configuration, origin: deps.origin }),
    store: () => deps.chains.put(configuration),
  };
  await consentedChange(change, deps);
  return configuration;
}
