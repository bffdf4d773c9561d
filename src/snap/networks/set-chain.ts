import { consentedChange } from '../storage/consented-change';
import { SetChainScreen } from '../ui/set-chain';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration, SetChainStruct, toChainConfiguration } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/schemas/struct';
import { checkChain } from './check-chain';
import { type ChainDeps } from './deps';
import { type ChainEntry } from './repository';

/**
 * `keystead_setChain`: sets up a chain or changes its configuration. First checks that the node and the bundler serve
 * this chain and entry point, then shows the user the old and new configuration.
 *
 * @returns The stored configuration: the parameters, with the entry point and its version filled in.
 * @throws {InvalidParamsError} If a parameter is invalid; names it.
 * @throws {ServiceFailedError} If the node or the bundler does not respond, or serves another chain or entry point.
 * @throws {UserRejectedError} If the user rejects the change.
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
