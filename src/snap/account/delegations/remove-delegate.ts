import { networkTitle } from '../../../core/networks/network';
import { chainIdOf, toChainName } from '../../../core/schemas/chain';
import { DelegateParamsStruct } from '../../../core/schemas/delegate';
import { parse } from '../../../core/structs/struct';
import { consentedChange } from '../../wallet/consented-change';
import { RemoveDelegateScreen } from '../../screens/remove-delegate';
import { type DelegateDeps } from './add-delegate';

/**
 * `keystead_removeDelegate`: removes a contract that was added. Accounts that delegate to it stay delegated until that
 * is taken back. Removing one that was not added is not an error.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @throws {InvalidParamsError} If a parameter is invalid; names it.
 * @throws {UserRejectedError} If the user rejects the removal.
 */
export async function removeDelegate(params: unknown, deps: DelegateDeps, origin: string): Promise<null> {
  const { chains, delegates } = deps;
  const { chainId: reference, address } = parse(DelegateParamsStruct, params, 'params');
  const chainId = toChainName(reference);
  if ((await delegates.find(chainId, address)) === undefined) return null;
  const chain = chainIdOf(chainId);
  // Settings that are damaged do not keep a delegate on the list.
  const configuration = await chains.find(chain).catch(() => undefined);
  const change = {
    read: () => delegates.find(chainId, address),
    screen: () => RemoveDelegateScreen({ networkTitle: networkTitle(chain, configuration), address, origin }),
    store: () => delegates.remove(chainId, address),
  };
  await consentedChange(change, deps);
  return null;
}
