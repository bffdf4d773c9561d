import { removeChain } from '../networks/remove-chain';
import { setChain } from '../networks/set-chain';
import { same } from '../storage/consented-change';
import { SetChainScreen } from '../ui/set-chain';
import { chainIdOf } from '../../core/schemas/chain';
import { SetChainStruct, toChainConfiguration } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/schemas/struct';
import { type DoorMethod, forConnected, inTurn } from './method';

/**
 * `keystead_setChain`. The person is asked before anything is sent to the services that the site names: they
 * may be anybody's. Any site may ask, connected or not; it learns nothing of what was set up before.
 */
export const keysteadSetChain: DoorMethod = (params, visit) => {
  const configuration = toChainConfiguration(parse(SetChainStruct, params, 'params'), 'params');
  return visit.turns.take(visit.origin, async () => {
    const before = await visit.chains.look(chainIdOf(configuration.chainId));
    const shown = SetChainScreen({ before, after: configuration, origin: visit.origin });
    await visit.consent(shown);
    // What was agreed to just now is not asked again, unless what it changes became another one meanwhile.
    return setChain(params, {
      ...visit,
      consent: (content) => (same(content, shown) ? Promise.resolve() : visit.consent(content)),
    });
  });
};

/** `keystead_removeChain`, for connected sites. */
export const keysteadRemoveChain = inTurn((params, site) => removeChain(params, site));

/** `keystead_getChains`, for connected sites, without any address of a service: it may hold a key. */
export const keysteadGetChains = forConnected(async (_params, { chains }) =>
  (await chains.list()).map(({ chainId, entryPoint, entryPointVersion, factory, paymasterUrl }) => ({
    chainId,
    entryPoint,
    entryPointVersion,
    ...(factory !== undefined && { factory }),
    hasPaymaster: paymasterUrl !== undefined,
  })),
);
