import { consentedChange } from '../storage/consented-change';
import { RemoveChainScreen } from '../ui/remove-chain';
import { chainIdOf, chainNameOf } from '../../core/schemas/chain';
import { RemoveChainStruct } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/schemas/struct';
import { type ChainDeps } from './deps';
import { type ChainEntry } from './repository';

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
  const name = chainNameOf(chainId);
  if ((await chains.look(chainId)) === undefined) return null;
  const change = {
    read: () => chains.look(chainId),
    screen: (before: ChainEntry) => RemoveChainScreen({ name, before, origin }),
    store: () => chains.remove(name),
  };
  await consentedChange(change, deps);
  return null;
}
