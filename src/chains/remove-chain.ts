import { consentedChange } from '../consented-change';
import { RemoveChainScreen } from '../ui/remove-chain';
import { chainIdOf } from '../wire/chain';
import { type ChainConfiguration, RemoveChainStruct } from '../wire/chain-configuration';
import { parse } from '../wire/struct';
import { type ChainDeps } from './deps';

/**
 * `keystead_removeChain`: forgets how a chain is set up. The accounts stay; to remove what is not there is
 * no error.
 *
 * @throws {InvalidParamsError} Naming the parameter.
 * @throws {UserRejectedError} If the removal is refused.
 */
export async function removeChain(params: unknown, deps: ChainDeps): Promise<null> {
  const { chains, origin } = deps;
  const { chainId: reference } = parse(RemoveChainStruct, params, 'params');
  const chainId = chainIdOf(reference);
  const configuration = await chains.find(chainId);
  if (configuration === undefined) return null;
  const change = {
    read: () => chains.find(chainId),
    screen: (before: ChainConfiguration | undefined) =>
      RemoveChainScreen({ configuration: before ?? configuration, origin }),
    store: () => chains.remove(configuration.chainId),
  };
  await consentedChange(change, deps);
  return null;
}
