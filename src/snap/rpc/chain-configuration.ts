import { removeChain } from '../networks/remove-chain';
import { setChain } from '../networks/set-chain';
import { same } from '../storage/consented-change';
import { SetChainScreen } from '../ui/set-chain';
import { chainIdOf } from '../../core/schemas/chain';
import { SetChainStruct, toChainConfiguration } from '../../core/schemas/chain-configuration';
import { parse } from '../../core/schemas/struct';
import { forConnected, inTurn, type RpcMethod } from './method';

/**
 * `keystead_setChain`. The user is asked before anything is sent to the services that the site names, because they may
 * belong to anyone. Any site may call this, connected or not. It learns nothing about the previous configuration.
 */
export const keysteadSetChain: RpcMethod = (params, origin, deps) => {
  const configuration = toChainConfiguration(parse(SetChainStruct, params, 'params'), 'params');
  return deps.requests.run(origin, async () => {
    const before = await deps.chains.look(chainIdOf(configuration.chainId));
    const shown = SetChainScreen({ before, after: configuration, origin });
    await deps.consent(shown);
    // Do not ask again for what was just approved, unless the stored configuration changed in the meantime.
    return setChain(params, {
      ...deps,
      origin,
      consent: (content) => (same(content, shown) ? Promise.resolve() : deps.consent(content)),
    });
  });
};

/** `keystead_removeChain`, for connected sites. */
export const keysteadRemoveChain = inTurn((params, { origin }, deps) => removeChain(params, { ...deps, origin }));

/** `keystead_getChains`, for connected sites. Omits the service URLs, which may contain API keys. */
export const keysteadGetChains = forConnected(async (_params, _site, { chains }) =>
  (await chains.list()).map(({ chainId, entryPoint, entryPointVersion, factory, paymasterUrl }) => ({
    chainId,
    entryPoint,
    entryPointVersion,
    ...(factory !== undefined && { factory }),
    hasPaymaster: paymasterUrl !== undefined,
  })),
);
