import { ProviderError } from '../../../core/errors';
import { quantityToHex } from '../../../core/eth/bytes';
import { SwitchChainStruct } from '../../../core/schemas/calls';
import { chainIdOf, type ChainName, toChainName } from '../../../core/schemas/chain';
import { parse } from '../../../core/structs/struct';
import { chainNameOfSite } from '../network-of-site';
import { notConnected } from '../site';
import { type ParamsOf, type SiteMethodDeps, type RpcMethod } from './method';

/** `eth_chainId` (EIP-695): the site's current chain. It reveals nothing about accounts, so any site may call it. */
export const ethChainId: RpcMethod<'eth_chainId'> = async (_params, origin, deps) =>
  quantityToHex(chainIdOf(await chainNameOfSite(origin, deps)));

/** `net_version`: the same in decimal. */
export const netVersion: RpcMethod<'net_version'> = async (_params, origin, deps) =>
  chainIdOf(await chainNameOfSite(origin, deps)).toString();

/** `net_listening`: the snap asks nodes over HTTP, so there are always connections to make. */
export const netListening: RpcMethod<'net_listening'> = () => Promise.resolve(true);

/** Switches a site to a chain that is set up. @returns Whether it did: only connected sites have a chain. */
export const switchSite = (
  origin: string,
  chainId: ChainName,
  { mutations, permissions }: Pick<SiteMethodDeps, 'mutations' | 'permissions'>,
): Promise<boolean> =>
  mutations.runExclusive(async () => {
    const permission = await permissions.find(origin);
    if (permission === undefined) return false;
    if (permission.chainId !== chainId) await permissions.put(origin, { ...permission, chainId });
    return true;
  });

/**
 * `wallet_switchEthereumChain` (EIP-3326): switches the site to another chain. Each site has its own chain and other
 * sites are not affected, so no consent is needed.
 *
 * @throws {ProviderError} 4902 if the chain is not set up.
 */
export const walletSwitchEthereumChain: RpcMethod<'wallet_switchEthereumChain'> = async (params, { origin }, deps) => {
  const [{ chainId }]: ParamsOf<'wallet_switchEthereumChain'> = parse(SwitchChainStruct, params, 'params', ['chain']);
  if ((await deps.chains.find(chainIdOf(chainId))) === undefined)
    throw new ProviderError(
      'chain-unknown',
      `${toChainName(chainId)} is not set up in Keystead. Add it with wallet_addEthereumChain.`,
    );
  if (!(await switchSite(origin, toChainName(chainId), deps))) throw notConnected();
  return null;
};
