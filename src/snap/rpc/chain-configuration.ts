import { removeChain } from '../networks/remove-chain';
import { setChain } from '../networks/set-chain';
import { same } from '../storage/consented-change';
import { SetChainScreen } from '../ui/set-chain';
import { chainIdOf } from '../../core/schemas/chain';
import { SetChainStruct, toChainConfiguration } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/schemas/struct';
import { forConnected, inTurn, type RpcMethod } from './method';

/**
 * `keystead_setChain`. The person is asked before anything is sent to the services that the site names: they
 * may be anybody's. Any site may ask, connected or not; it learns nothing of what was set up before.
 */
export const keysteadSetChain: RpcMethod = (params, origin, deps) => {
  const configuration = toChainConfiguration(parse(SetChainStruct, params, 'params'), 'params');
  return deps.requests.run(origin, async () => {
    const before = await deps.chains.look(chainIdOf(configuration.chainId));
    const shown = SetChainScreen({ before, after: configuration, origin });
    await deps.consent(shown);
    // What was agreed to just now is not asked again, unless what it changes became another one meanwhile.
    return setChain(params, {
      ...deps,
      origin,
      consent: (content) => (same(content, shown) ? Promise.resolve() : deps.consent(content)),
    });
  });
};

/** `keystead_removeChain`, for connected sites. */
export const keysteadRemoveChain = inTurn((params, { origin }, deps) => removeChain(params, { ...deps, origin }));

/** `keystead_getChains`, for connected sites, without any address of a service: it may hold a key. */
export const keysteadGetChains = forConnected(async (_params, _site, { chains }) =>
  (await chains.list()).map(({ chainId, entryPoint, entryPointVersion, factory, paymasterUrl }) => ({
    chainId,
    entryPoint,
    entryPointVersion,
    ...(factory !== undefined && { factory }),
    hasPaymaster: paymasterUrl !== undefined,
  })),
);
