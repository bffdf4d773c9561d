import { RemoveChainScreen } from '../ui/remove-chain';
import { chainIdOf } from '../wire/chain';
import { RemoveChainStruct } from '../wire/chain-configuration';
import { parse } from '../wire/struct';
import { type ChainDeps } from './deps';

/**
 * `keystead_removeChain`: forgets how a chain is set up. The accounts stay; to remove what is not there is
 * no error.
 *
 * @throws {InvalidParamsError} Naming the parameter.
 * @throws {UserRejectedError} If the removal is refused.
 */
export async function removeChain(params: unknown, { chains, consent, mutations, origin }: ChainDeps): Promise<null> {
  const { chainId: reference } = parse(RemoveChainStruct, params, 'params');
  const configuration = await chains.find(chainIdOf(reference));
  if (configuration === undefined) return null;
  await consent(RemoveChainScreen({ configuration, origin }));
  await mutations.runExclusive(() => chains.remove(configuration.chainId));
  return null;
}
