import { ProviderError } from '../../core/errors';
import { quantityToHex } from '../../core/eth/bytes';
import { SwitchChainStruct } from '../../core/schemas/calls';
import { chainIdOf, toChainName } from '../../core/schemas/chain';
import { parse } from '../../core/schemas/struct';
import { chainNameOfSite } from '../permissions/network-of-site';
import { notConnected } from '../permissions/site';
import { forConnected, type RpcMethod } from './method';

/** `eth_chainId` (EIP-695): the chain that the site is on. It says nothing of accounts, so any site may ask. */
export const ethChainId: RpcMethod = async (_params, origin, deps) =>
  quantityToHex(chainIdOf(await chainNameOfSite(origin, deps)));

/** `net_version`: the same in decimal. */
export const netVersion: RpcMethod = async (_params, origin, deps) =>
  chainIdOf(await chainNameOfSite(origin, deps)).toString();

/**
 * `wallet_switchEthereumChain` (EIP-3326): puts the site on another chain. Each site has its own, and no
 * other one notices, so nobody is asked.
 *
 * @throws {ProviderError} 4902 if the chain is not set up.
 */
export const walletSwitchEthereumChain = forConnected(
  async (params, { origin }, { chains, mutations, permissions }) => {
    const [{ chainId }] = parse(SwitchChainStruct, params, 'params', ['chain']);
    if ((await chains.find(chainIdOf(chainId))) === undefined)
      throw new ProviderError(
        'chain-unknown',
        `${toChainName(chainId)} is not set up in Keystead (keystead_setChain).`,
      );
    await mutations.runExclusive(async () => {
      const permission = await permissions.find(origin);
      if (permission === undefined) throw notConnected();
      await permissions.put(origin, { ...permission, chainId: toChainName(chainId) });
    });
    return null;
  },
);
