import { consentedChange } from '../wallet/consented-change';
import { RemoveChainScreen } from '../screens/remove-chain';
import { chainIdOf, chainNameOf } from '../../core/schemas/chain';
import { RemoveChainStruct } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/structs/struct';
import { type ChainEntry } from './repository';
import { type ChainDeps } from './set-chain';

/**
 * `keystead_removeChain`: removes the configuration of a chain. Accounts stay. Removing a chain that is not set up is
 * not an error.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @throws {InvalidParamsError} If a parameter is invalid; names it.
 * @throws {UserRejectedError} If the user rejects the removal.
 */
export async function removeChain(params: unknown, deps: ChainDeps, origin: string): Promise<null> {
  const { chains } = deps;
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
