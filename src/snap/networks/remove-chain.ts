import { consentedChange } from '../storage/consented-change';
import { RemoveChainScreen } from '../ui/remove-chain';
import { chainIdOf, chainNameOf } from '../../core/schemas/chain';
import { RemoveChainStruct } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/schemas/struct';
import { type ChainDeps } from './deps';
import { type ChainEntry } from './repository';

/**
 * `keystead_removeChain`: removes the configuration of a chain. Accounts stay. Removing a chain that is not set up is
 * not an error.
 *
 * @throws {InvalidParamsError} If a parameter is invalid; names it.
 * @throws {UserRejectedError} If the user rejects the removal.
 */
export async function removeChain(params: unknown, deps: ChainDeps): Promise<null> {
  const { chains, origin } = deps;
  const { chainId: reference } = parse(RemoveChainStruct, params, 'params');
  const chainId = chainIdOf(reference);
  if ((await chains.look(chainId)) === undefined) return null;
  const change = {
    read: () => chains.look(chainId),
    screen: (before: ChainEntry) => RemoveChainScreen({ chainId, before, origin }),
    store: () => chains.remove(chainNameOf(chainId)),
  };
  await consentedChange(change, deps);
  return null;
}
