import { ProviderError } from '../../core/errors';
import { quantityToHex } from '../../core/eth/bytes';
import { SwitchChainStruct } from '../../core/schemas/calls';
import { chainIdOf, toChainName } from '../../core/schemas/chain';
import { parse } from '../../core/schemas/struct';
import { chainNameOfSite } from '../permissions/network-of-site';
import { notConnected } from '../permissions/site';
import { forConnected, type RpcMethod } from './method';

/** `eth_chainId` (EIP-695): the site's current chain. It reveals nothing about accounts, so any site may call it. */
export const ethChainId: RpcMethod = async (_params, origin, deps) =>
  quantityToHex(chainIdOf(await chainNameOfSite(origin, deps)));

/** `net_version`: the same in decimal. */
export const netVersion: RpcMethod = async (_params, origin, deps) =>
  chainIdOf(await chainNameOfSite(origin, deps)).toString();

/**
 * `wallet_switchEthereumChain` (EIP-3326): switches the site to another chain. Each site has its own chain and other
 * sites are not affected, so no consent is needed.
 *
 * @throws {ProviderError} 4902 if the chain is not set up.
 */
export const walletSwitchEthereumChain = forConnected(
  async (params, { origin }, { chains, mutations, permissions }) => {
    const [{ chainId }] = parse(SwitchChainStruct, params, 'params', ['chain']);
    if ((await chains.find(chainIdOf(chainId))) === undefined)
      throw new ProviderError(
        'chain-unknown',
        `${toChainName(chainId)} is not set up in Keystead. Add it with keystead_setChain.`,
      );
    await mutations.runExclusive(async () => {
      const permission = await permissions.find(origin);
      if (permission === undefined) throw notConnected();
      await permissions.put(origin, { ...permission, chainId: toChainName(chainId) });
    });
    return null;
  },
);
